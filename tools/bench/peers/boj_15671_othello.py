"""A border of newlines ends every run, and the board needs no joining to be printed."""
import sys


def main():
    n, *squares = map(int, sys.stdin.buffer.read().split())
    stride = 7
    pad = stride + 1
    board = bytearray(b"\n" * pad + b"......\n" * 6 + b"\n" * pad)
    centre = pad + 2 * stride + 2
    board[centre : centre + 2] = b"WB"
    board[centre + stride : centre + stride + 2] = b"BW"
    mover, other = b"BW"
    for row, column in zip(squares[: 2 * n : 2], squares[1 : 2 * n : 2]):
        placed = pad + (row - 1) * stride + column - 1
        for step in (-8, -7, -6, -1, 1, 6, 7, 8):
            cell = placed + step
            while board[cell] == other:
                cell += step
            if board[cell] == mover:
                while cell != placed:
                    board[cell] = mover
                    cell -= step
        board[placed] = mover
        mover, other = other, mover
    printed = board[pad : pad + 6 * stride].decode()
    print(printed, "Black" if printed.count("B") > printed.count("W") else "White", sep="")


main()
