// The floor: the board lives in printed form with the score right behind it, so that a position is one fwrite. Newlines
// end a run at the left and right edge; the padding above and the score below end it there. The answer leaves in few
// large pieces: many small writes would take the kernel longer.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char output[1 << 18];
static unsigned char buffer[1 << 16], *next = buffer, *end = buffer;

static inline int get(void) {
    if (next == end) {
        ssize_t length = read(0, buffer, sizeof buffer);
        if (length <= 0) return -1;
        next = buffer;
        end = buffer + length;
    }
    return *next++;
}

static inline int visible(void) {
    int c = get();
    while (c != -1 && c <= ' ') c = get();
    return c;
}

static inline long number(void) {
    long value = 0;
    for (int c = visible(); c > ' '; c = get()) value = value * 10 + (c - '0');
    return value;
}

// By hand, because sprintf costs more than a move.
static inline char *decimal(char *at, long value) {
    char digits[20];
    int length = 0;
    do digits[length++] = (char)('0' + value % 10);
    while (value /= 10);
    while (length) *at++ = digits[--length];
    return at;
}

static inline void print(char *board, char *score, long black, long white) {
    char *at = decimal(score, black);
    *at++ = ':';
    at = decimal(at, white);
    *at++ = '\n';
    *at++ = '\n';
    fwrite(board, 1, (size_t)(at - board), stdout);
}

int main(void) {
    setvbuf(stdout, output, _IOFBF, sizeof output);
    long n = number(), stride = n + 1, pad = stride + 1;
    char *memory = calloc((size_t)(pad + n * stride + pad + 48), 1), *board = memory + pad, *score = board + n * stride;
    for (char *cell = board; cell < score; cell++) *cell = '.';
    for (char *row = board; row < score; row += stride) row[n] = '\n';
    char *centre = board + (n / 2 - 1) * stride + n / 2 - 1;
    centre[0] = centre[stride + 1] = 'B';
    centre[1] = centre[stride] = 'N';
    const long steps[] = {-stride, -stride + 1, 1, stride + 1, stride, stride - 1, -1, -stride - 1};

    long count[2] = {2, 2};
    print(board, score, count[0], count[1]);
    for (int mover; (mover = visible()) != -1;) {
        int white = mover == 'B', other = 'N' + 'B' - mover;
        long row = number() - 1, column = number() - 1, captures = 0;
        char *placed = board + row * stride + column;
        for (int i = 0; i < 8; i++) {
            char *cell = placed + steps[i];
            while (*cell == other) cell += steps[i];
            if (*cell != mover) continue;
            while ((cell -= steps[i]) != placed) {
                *cell = (char)mover;
                captures++;
            }
        }
        *placed = (char)mover;
        count[white] += captures + 1;
        count[!white] -= captures;
        print(board, score, count[0], count[1]);
    }
}
