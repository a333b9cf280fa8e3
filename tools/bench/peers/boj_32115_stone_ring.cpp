// What a good C++ user hands in.
#include <algorithm>
#include <functional>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);

    int n;
    std::cin >> n;
    std::vector<int> state(n), value(n);
    for (int& s : state) std::cin >> s;
    for (int& v : value) std::cin >> v;

    std::vector<int> stones;
    for (int i = 0; i < n; i++)
        if (state[i] != 0) stones.push_back(i);

    long long score[3] = {};
    std::vector<int> contested;
    for (std::size_t k = 0; k < stones.size(); k++) {
        int from = stones[k];
        int to = k + 1 < stones.size() ? stones[k + 1] : stones[0] + n;
        int left_owner = state[from], right_owner = state[to % n];
        score[left_owner] += value[from];
        int left = from + 1, right = to - 1;
        for (; left < right; left++, right--) {
            score[left_owner] += value[left % n];
            score[right_owner] += value[right % n];
        }
        if (left == right) {
            if (left_owner == right_owner) score[left_owner] += value[left % n];
            else contested.push_back(value[left % n]);
        }
    }
    std::sort(contested.begin(), contested.end(), std::greater<>());
    for (std::size_t i = 0; i < contested.size(); i++) score[1 + i % 2] += contested[i];
    std::cout << score[1] << ' ' << score[2] << '\n';
}
