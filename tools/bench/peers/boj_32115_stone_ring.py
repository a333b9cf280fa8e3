"""Sums come from a running total over the ring laid out twice, so that no gap is walked cell by cell."""
import sys
from itertools import accumulate


def main():
    n, *rest = sys.stdin.buffer.read().split()
    n = int(n)
    states = rest[:n]
    values = list(map(int, rest[n:]))
    total = list(accumulate(values + values, initial=0))
    stones = [i for i, state in enumerate(states) if state != b"0"]

    score = {b"1": 0, b"2": 0}
    contested = []
    for start, stop in zip(stones, stones[1:] + [s + n for s in stones[:1]]):
        left, right = states[start], states[stop - n]
        if left == right:
            score[left] += total[stop] - total[start]
            continue
        half = (stop - start - 1) // 2
        score[left] += total[start + 1 + half] - total[start]
        score[right] += total[stop] - total[stop - half]
        if (stop - start) % 2 == 0:
            contested.append(values[(start + 1 + half) % n])
    contested.sort(reverse=True)
    print(score[b"1"] + sum(contested[::2]), score[b"2"] + sum(contested[1::2]))


main()
