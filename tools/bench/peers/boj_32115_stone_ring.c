// The floor: what a specialist hands in. It reads bytes by read(2) and digits eight at a time. Every value goes to its
// owner as it is read, so that only the owners and the contested middles are ever stored. The middles are sorted
// without comparing.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EMPTY, BLACK, WHITE, CONTESTED };
enum { LONGEST = 16 };

static unsigned char buffer[(1 << 16) + LONGEST] = "!", *next = buffer, *end = buffer;
static uint8_t owner[200000];
static uint32_t contested[100000], sorted[100000];

// A number never straddles the end of what was read, so that the loop over its digits has nothing else to test. Behind
// that end there is room for reading eight bytes at once.
static int refill(void) {
    size_t rest = (size_t)(end - next);
    memmove(buffer, next, rest);
    ssize_t length = read(0, buffer + rest, sizeof buffer - LONGEST - rest);
    next = buffer;
    end = buffer + rest + (length > 0 ? length : 0);
    *end = '!';  // neither blank nor digit
    return length > 0;
}

// Eight digits at once: neighbours join to pairs, pairs to fours, and fours to one number.
static inline int eight_digits(const unsigned char *at, uint32_t *value) {
    const uint64_t each = UINT64_MAX / 255;
    uint64_t eight;
    memcpy(&eight, at, sizeof eight);
    eight ^= each * '0';
    if ((eight | (eight + each * 118)) & (each * 128)) return 0;  // one of them is above 9
    eight = (eight * 10 + (eight >> 8)) & 0x00ff00ff00ff00ff;
    eight = (eight * 100 + (eight >> 16)) & 0x0000ffff0000ffff;
    *value = *value * 100000000 + (uint32_t)(eight * 10000 + (eight >> 32));
    return 1;
}

__attribute__((always_inline)) static inline uint32_t number(void) {
    unsigned char *at = next;
    for (;;) {
        while (*at <= ' ') at++;
        next = at;
        if (end - at >= LONGEST || !refill()) break;
        at = next;
    }
    at = next;
    uint32_t value = *at++ - (uint32_t)'0', digit = *at - (uint32_t)'0';
    if (digit < 10) {
        if (eight_digits(at, &value)) at += 8;
        for (; (digit = *at - (uint32_t)'0') < 10; at++) value = value * 10 + digit;
    }
    next = at;
    return value;
}

// Into falling order: by the last eleven bits, then by those before them, then by the rest.
static const uint32_t *falling(size_t length) {
    uint32_t *from = contested, *to = sorted;
    for (int shift = 0; shift < 33; shift += 11) {
        size_t place[2048] = {0}, before = 0;
        for (size_t i = 0; i < length; i++) place[from[i] >> shift & 2047]++;
        for (int i = 2047; i >= 0; i--) {
            size_t count = place[i];
            place[i] = before;
            before += count;
        }
        for (size_t i = 0; i < length; i++) to[place[from[i] >> shift & 2047]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
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
    // The gap before each stone starts behind the previous one. The gap before the first stone starts behind the last
    // one and goes on at cell 0.
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
    const uint32_t *middle = falling(middles);
    for (size_t i = 0; i < middles; i++) score[BLACK + i % 2] += middle[i];
    printf("%llu %llu\n", (unsigned long long)score[BLACK], (unsigned long long)score[WHITE]);
}
