"""One long line of cells with a border of zeros, so that a run ends without a bounds check."""
import sys


def main():
    rows = [line.split() for line in sys.stdin.read().splitlines() if line.strip()]
    width = 20
    board = "0" * (width + 1) + "".join("".join(row) + "0" for row in rows) + "0" * (width + 1)
    for start, stone in enumerate(board):
        if stone == "0":
            continue
        for step in (1 - width, 1, width + 1, width):
            if board[start - step] == stone:
                continue
            end = start + step
            while board[end] == stone:
                end += step
            if end == start + 5 * step:
                row, column = divmod(start - 1, width)
                print(stone, f"{row} {column + 1}", sep="\n")
                return
    print(0)


main()
