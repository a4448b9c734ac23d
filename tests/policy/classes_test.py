# SPDX-License-Identifier: Apache-2.0
"""classes.py fails on a class in two .cc and on one with too many data members."""

import unittest

import classes
from made_up_tree import MadeUpTreeTest


def members(count, first=0):
    return "".join(f"  int m{first + i}_ = 0;\n" for i in range(count))


def class_of(body, name="Watch", bases=""):
    return f"namespace made_up {{\nclass {name}{bases} {{\n public:\n  void Run();\n\n private:\n{body}}};\n}}\n"


class ClassesTest(MadeUpTreeTest):
    def violations(self, files):
        return classes.violations_of(self.tree(files))

    def test_a_class_in_one_cc_passes(self):
        self.assertEqual(list(self.violations({
            "src/a/watch.h": class_of(members(20)),
            "src/a/watch.cc": "void Watch::Run() {}\nvoid Watch::Stop() {}\n",
            "src/a/other.cc": "void Use(Watch* watch) { watch->Run(); }\nvoid Other::Run() {}\n",
        })), [])

    def test_a_class_in_two_is_named(self):
        self.assert_one(self.violations({
            "src/a/watch.cc": "namespace made_up {\nvoid Watch::Run() {}\n}\n",
            "src/a/watch_dump.cc": "namespace made_up {\nstd::set<int> Watch::Dump(int x) const { return {x}; }\n}\n",
        }), "src/a: Watch is defined in watch.cc, watch_dump.cc")

    def test_a_constructor_or_a_destructor_in_another_cc_is_named(self):
        for function in ("Watch::Watch(int x) : x_{x}, y_(x) { Run(); }\n", "Watch::~Watch() { Run(); }\n"):
            self.assert_one(self.violations({
                "src/a/watch.cc": "void Watch::Run() {}\n", "src/a/watch_start.cc": function,
            }), "Watch is defined in")

    def test_a_defaulted_destructor_in_another_cc_is_named(self):
        self.assert_one(self.violations({
            "src/a/watch.cc": "void Watch::Run() {}\n", "src/a/watch_start.cc": "Watch::~Watch() = default;\n",
        }), "Watch is defined in")

    def test_another_cc_in_a_folder_below_is_named(self):
        self.assert_one(self.violations({
            "src/a/watch.cc": "void Watch::Run() {}\n", "src/a/part/watch.cc": "void Watch::Stop() {}\n",
        }), "src/a: Watch is defined in part/watch.cc, watch.cc")

    def test_classes_of_one_name_in_two_folders_pass(self):
        self.assertEqual(list(self.violations({
            "src/a/watch.cc": "void Watch::Run() {}\n", "src/b/watch.cc": "void Watch::Run() {}\n",
        })), [])

    def test_a_static_member_in_another_cc_is_named(self):
        for definition in ("const int Watch::kTable[] = {1, 2};\n", "std::atomic<Watch*> Watch::first_{nullptr};\n",
                           "thread_local made_up::State Watch::state_;\n"):
            self.assert_one(self.violations({
                "src/a/watch.cc": "void Watch::Run() {}\n", "src/a/watch_table.cc": definition,
            }), "Watch is defined in watch.cc, watch_table.cc")
        self.assertEqual(list(self.violations({
            "src/a/watch.cc": "void Watch::Run() {}\n",
            "src/a/other.cc": "constexpr auto kState = Watch::kState;\nconst int x = Watch::Count();\n",
        })), [])

    def test_a_class_in_another_cc_by_an_alias_is_named(self):
        self.assert_one(self.violations({
            "src/a/watch.cc": "class Watch {};\nvoid Watch::Run() {}\n",
            "src/a/watch_dump.cc": "using Other = made_up::Watch;\nvoid Other::Dump() {}\n",
        }), "src/a: Watch is defined in watch.cc, watch_dump.cc")

    def test_a_nested_class_in_another_cc_is_named(self):
        self.assert_one(self.violations({
            "src/a/watch.cc": "void Watch::Run() {}\n",
            "src/a/watch_part.cc": "struct Watch::Part {\n  void Run() { ++n_; }\n  int n_;\n};\n",
        }), "Watch is defined in watch.cc, watch_part.cc")

    def test_21_members_are_too_many(self):
        self.assert_one(self.violations({"src/a/watch.h": class_of(members(21))}), "src/a/watch.h:2: Watch has 21")

    def test_each_way_to_write_members_counts(self):
        body = ("  int a_, *b_;\n  uint32_t c_ : 4;\n  char d_[16] = {};\n"
                "  std::map<int, std::vector<int>> e_;\n  void (*f_)(int, char) = nullptr;\n"
                "  std::function<void(int)> g_ = [](int) { Run(); };\n  std::atomic<bool> h_{false};\n"
                "  [[maybe_unused]] alignas(64) int i_;\n  Other& j_ = k_.other();\n")
        self.assertEqual(list(self.violations({"src/a/watch.h": class_of(body + members(10))})), [])
        self.assert_one(self.violations({"src/a/watch.h": class_of(body + members(11))}), "Watch has 21")

    def test_what_is_no_data_member_does_not_count(self):
        body = ("  static constexpr int kMany = 4;\n  static int shared_;\n  using Many = int;\n"
                "  enum class E { kA, kB };\n  friend class Other;\n  struct Nested;\n  Watch() = default;\n"
                "  int many() const { int x = 1; return x; }\n")
        self.assertEqual(list(self.violations({"src/a/watch.h": class_of(body + members(20))})), [])

    def test_a_plain_struct_that_is_there_for_one_class_is_counted_in(self):
        body = "  struct Counts {\n" + members(5, 100) + "  };\n  Counts counts_;\n" + members(16)
        self.assert_one(self.violations({"src/a/watch.h": class_of(body)}), "Watch has 21 data", "17 of its own")

    def test_a_struct_without_a_name_is_counted_in(self):
        for name in (" counts_", ""):
            body = "  struct {\n" + members(5, 100) + f"  }}{name};\n" + members(16)
            self.assert_one(self.violations({"src/a/watch.h": class_of(body)}), "Watch has 21 data")

    def test_it_is_counted_in_wherever_it_is_declared(self):
        self.assert_one(self.violations({
            "src/a/counts.h": "struct Counts {\n" + members(5, 100) + "};\n",
            "src/a/watch.h": class_of("  std::optional<Counts> counts_;\n" + members(16)),
            "src/a/watch.cc": "void Watch::Run() { counts_ = Counts{}; }\n",
        }), "Watch has 21")

    def test_it_is_counted_in_behind_an_alias(self):
        for alias in ("using Sums = made_up::Counts;\n", "typedef Counts Sums;\n",
                      "using Other = Counts;\nusing Sums = Other;\n"):
            self.assert_one(self.violations({
                "src/a/counts.h": "struct Counts {\n" + members(5, 100) + "};\n",
                "src/a/watch.h": alias + class_of("  Sums counts_;\n" + members(16)),
            }), "Watch has 21")
            self.assert_one(self.violations({
                "src/a/counts.h": "struct Counts {\n" + members(5, 100) + "};\n",
                "src/a/watch.h": alias + class_of(members(16), bases=" : private Sums"),
            }), "Watch has 21")

    def test_what_a_pointer_hides_in_the_cc_is_counted_in(self):
        for functions in ("", "  void Run();\n"):
            self.assert_one(self.violations({
                "src/a/watch.h": class_of("  struct Parts;\n  std::unique_ptr<Parts> parts_;\n" + members(16)),
                "src/a/watch.cc": "struct Watch::Parts {\n" + functions + members(5, 100) + "};\n",
            }), "Watch has 21")

    def test_a_nested_struct_is_counted_in_though_another_class_has_its_name(self):
        nested = "  struct Counts {\n" + members(5, 100) + "  };\n  Counts counts_;\n"
        found = list(self.violations({
            "src/a/watch.h": class_of(nested + members(16)),
            "src/a/other.h": class_of(nested, name="Other"),
            "src/b/counts.h": "struct Counts {\n" + members(2) + "};\n",
            "src/b/print.cc": "void Print(const Counts& counts) {}\n",
        }))
        self.assert_one(found, "Watch has 21 data", "17 of its own")

    def test_a_struct_that_others_know_counts_as_one(self):
        self.assertEqual(list(self.violations({
            "src/a/counts.h": "struct Counts {\n" + members(5, 100) + "};\n",
            "src/a/watch.h": class_of("  Counts counts_;\n" + members(16)),
            "src/b/print.cc": "void Print(const Counts& counts) {}\n",
        })), [])

    def test_members_of_a_base_are_counted_in(self):
        self.assert_one(self.violations({
            "src/a/state.h": "struct State {\n" + members(5, 100) + "};\n",
            "src/a/watch.h": class_of(members(16), bases=" : private State"),
        }), "Watch has 21")

    def test_a_record_without_functions_is_no_class(self):
        self.assertEqual(list(self.violations({"src/a/record.h": "struct Record {\n" + members(30) + "};\n"})), [])

    def test_the_host_tool_may_do_as_it_likes(self):
        self.assertEqual(list(self.violations({"tools/stillframe/a.h": class_of(members(21))})), [])


if __name__ == "__main__":
    unittest.main()
