// What a good C++ user hands in.
#include <iostream>

int board[21][21];

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);

    for (int row = 1; row <= 19; row++)
        for (int column = 1; column <= 19; column++) std::cin >> board[row][column];

    // Towards the right, or down: the first stone of a run is then the one to print.
    const int steps[4][2] = {{-1, 1}, {0, 1}, {1, 1}, {1, 0}};
    for (int row = 1; row <= 19; row++) {
        for (int column = 1; column <= 19; column++) {
            int stone = board[row][column];
            if (stone == 0) continue;
            for (auto [dr, dc] : steps) {
                if (board[row - dr][column - dc] == stone) continue;
                int run = 1;
                while (board[row + run * dr][column + run * dc] == stone) run++;
                if (run == 5) {
                    std::cout << stone << '\n' << row << ' ' << column << '\n';
                    return 0;
                }
            }
        }
    }
    std::cout << "0\n";
}
