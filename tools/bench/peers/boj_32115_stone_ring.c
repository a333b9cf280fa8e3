// The floor: what a specialist hands in. Bytes from read(2), digits by hand, and every value goes to its owner as it
// is read, so that only the owners and the contested middles are ever stored.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EMPTY, BLACK, WHITE, CONTESTED };
enum { LONGEST = 16 };

static unsigned char buffer[1 << 16] = "!", *next = buffer, *end = buffer;
static uint8_t owner[200000];
static uint32_t contested[100000];

// A number never straddles the end of the buffer, so that the loop over its digits has nothing else to test.
static int refill(void) {
    size_t rest = (size_t)(end - next);
    memmove(buffer, next, rest);
    ssize_t length = read(0, buffer + rest, sizeof buffer - 1 - rest);
    next = buffer;
    end = buffer + rest + (length > 0 ? length : 0);
    *end = '!';  // neither blank nor digit
    return length > 0;
}

static inline uint32_t number(void) {
    unsigned char *at = next;
    for (;;) {
        while (*at <= ' ') at++;
        next = at;
        if (end - at >= LONGEST || !refill()) break;
        at = next;
    }
    uint32_t value = 0, digit;
    for (at = next; (digit = *at - (uint32_t)'0') < 10; at++) value = value * 10 + digit;
    next = at;
    return value;
}

static int falling(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

int main(void) {
    int n = (int)number(), first = -1, last = -1;
    for (int i = 0; i < n; i++) {
        owner[i] = (uint8_t)number();
        if (owner[i] == EMPTY) continue;
        if (first < 0) first = i;
        last = i;
    }
    if (first < 0) {
        puts("0 0");
        return 0;
    }
    // The gap before each stone starts behind the previous one; the first stone's runs across the seam.
    int previous = last - n;
    for (int i = first; i <= last; i++) {
        if (owner[i] == EMPTY) continue;
        int left = previous + 1, right = i - 1;
        uint8_t left_owner = owner[previous < 0 ? previous + n : previous], right_owner = owner[i];
        for (; left < right; left++, right--) {
            owner[left < 0 ? left + n : left] = left_owner;
            owner[right < 0 ? right + n : right] = right_owner;
        }
        if (left == right) owner[left < 0 ? left + n : left] = left_owner == right_owner ? left_owner : CONTESTED;
        previous = i;
    }
    uint64_t score[3] = {0};
    size_t middles = 0;
    for (int i = 0; i < n; i++) {
        uint32_t value = number();
        if (owner[i] == CONTESTED) contested[middles++] = value;
        else score[owner[i]] += value;
    }
    qsort(contested, middles, sizeof *contested, falling);
    for (size_t i = 0; i < middles; i++) score[BLACK + i % 2] += contested[i];
    printf("%llu %llu\n", (unsigned long long)score[BLACK], (unsigned long long)score[WHITE]);
}
