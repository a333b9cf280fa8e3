"""The board lives in printed form with a border of newlines, which ends every run. So the board is one write, and the
score another."""
import sys


def main():
    tokens = iter(sys.stdin.buffer.read().split())
    n = int(next(tokens))
    stride = n + 1
    pad = stride + 1
    board = bytearray(b"\n" * pad + (b"." * n + b"\n") * n + b"\n" * pad)
    printed = memoryview(board)[pad : pad + n * stride]
    centre = pad + (n // 2 - 1) * stride + n // 2 - 1
    board[centre : centre + 2] = b"BN"
    board[centre + stride : centre + stride + 2] = b"NB"
    steps = (-stride, -stride + 1, 1, stride + 1, stride, stride - 1, -1, -stride - 1)
    count = {ord("N"): 2, ord("B"): 2}
    write = sys.stdout.buffer.write

    write(printed)
    write(b"2:2\n\n")
    for mover, row, column in zip(tokens, tokens, tokens):
        mover = mover[0]
        other = 144 - mover  # 'N' + 'B'
        placed = pad + (int(row) - 1) * stride + int(column) - 1
        captures = 0
        for step in steps:
            cell = placed + step
            while board[cell] == other:
                cell += step
            if board[cell] == mover:
                cell -= step
                while cell != placed:
                    board[cell] = mover
                    captures += 1
                    cell -= step
        board[placed] = mover
        count[mover] += captures + 1
        count[other] -= captures
        write(printed)
        write(b"%d:%d\n\n" % (count[78], count[66]))


main()
