// What a good C++ user hands in.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);

    const int n = 6;
    std::vector<std::string> board(n, std::string(n, '.'));
    board[2][2] = board[3][3] = 'W';
    board[2][3] = board[3][2] = 'B';
    auto at = [&](int r, int c) { return 0 <= r && r < n && 0 <= c && c < n ? board[r][c] : '.'; };

    int moves;
    std::cin >> moves;
    char mover = 'B', other = 'W';
    for (int row, column; moves-- > 0 && std::cin >> row >> column; std::swap(mover, other)) {
        row--, column--;
        board[row][column] = mover;
        for (int dr = -1; dr <= 1; dr++) {
            for (int dc = -1; dc <= 1; dc++) {
                int run = 1;
                while (at(row + run * dr, column + run * dc) == other) run++;
                if (at(row + run * dr, column + run * dc) != mover) continue;
                while (--run > 0) board[row + run * dr][column + run * dc] = mover;
            }
        }
    }
    int lead = 0;
    for (const auto& row : board) {
        std::cout << row << '\n';
        for (char c : row) lead += (c == 'B') - (c == 'W');
    }
    std::cout << (lead > 0 ? "Black" : "White") << '\n';
}
