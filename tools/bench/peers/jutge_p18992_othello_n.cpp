// What a good C++ user hands in.
#include <iostream>
#include <string>
#include <vector>

struct Board {
    int n;
    int black = 2, white = 2;
    std::vector<std::string> rows;

    explicit Board(int n) : n(n), rows(n, std::string(n, '.')) {
        int low = n / 2 - 1, high = n / 2;
        rows[low][low] = rows[high][high] = 'B';
        rows[low][high] = rows[high][low] = 'N';
    }

    bool inside(int row, int column) const { return 0 <= row && row < n && 0 <= column && column < n; }

    void play(char mover, int row, int column) {
        char other = mover == 'N' ? 'B' : 'N';
        int captures = 0;
        for (int dr = -1; dr <= 1; dr++) {
            for (int dc = -1; dc <= 1; dc++) {
                if (dr == 0 && dc == 0) continue;
                int run = 0, r = row + dr, c = column + dc;
                while (inside(r, c) && rows[r][c] == other) run++, r += dr, c += dc;
                if (!inside(r, c) || rows[r][c] != mover) continue;
                for (captures += run; run > 0; run--) rows[row + run * dr][column + run * dc] = mover;
            }
        }
        rows[row][column] = mover;
        (mover == 'N' ? black : white) += captures + 1;
        (mover == 'N' ? white : black) -= captures;
    }
};

std::ostream& operator<<(std::ostream& out, const Board& board) {
    for (const auto& row : board.rows) out << row << '\n';
    return out << board.black << ':' << board.white << "\n\n";
}

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);

    int n;
    std::cin >> n;
    Board board(n);
    std::cout << board;
    char mover;
    int row, column;
    while (std::cin >> mover >> row >> column) {
        board.play(mover, row - 1, column - 1);
        std::cout << board;
    }
}
