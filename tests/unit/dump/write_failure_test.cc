// SPDX-License-Identifier: Apache-2.0
// Full disks, missing and forbidden folders: a status with errno, one line, and no file left.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>

#include "src/dump/writer.h"
#include "tests/unit/dump/read_dump_file.h"
#include "tests/unit/dump/sample_document.h"

namespace stillframe::dump {
namespace {

// Limits this process's files to `bytes`, as a disk with that much free space would.
class DiskOf {
 public:
  explicit DiskOf(uint64_t bytes) : handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {static_cast<rlim_t>(bytes), before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~DiskOf() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }
  DiskOf(const DiskOf&) = delete;
  DiskOf& operator=(const DiskOf&) = delete;

 private:
  rlimit before_ = {};
  sighandler_t handler_;
};

TEST(WriteFailure, AFullDiskLeavesTheOlderDumpAndNothingElse) {
  ScratchFolder folder;
  Writer writer;
  const std::string path = folder.File("a.sfdump");
  const model::Document older = SampleDocument(1, 10);
  const model::Document newer = SampleDocument(2, 400);
  ASSERT_TRUE(writer.WriteDocument(older, path.c_str()).ok());
  const std::string other = folder.File("b.sfdump");
  const WriteResult whole = writer.WriteDocument(newer, other.c_str());
  ASSERT_TRUE(whole.ok());
  std::filesystem::remove(other);
  for (uint64_t room = 0; room < whole.bytes; room += room < 200 ? 7 : 113) {
    WriteResult result;
    {
      DiskOf disk(room);
      result = writer.WriteDocument(newer, path.c_str());
    }
    ASSERT_EQ(result.status, Status::kCannotWrite) << room;
    ASSERT_EQ(result.error_number, EFBIG);
    ASSERT_EQ(folder.Files(), 1U);
    ASSERT_EQ(Writer::Describe(result, "d/a.sfdump"),
              "cannot write the file: d/a.sfdump: File too large; make room on that disk or give "
              "another folder");
  }
  EXPECT_EQ(Pieces(ReadDumpFile(path.c_str()).document), Pieces(older));
  DiskOf disk(whole.bytes);
  EXPECT_TRUE(writer.WriteDocument(newer, path.c_str()).ok());
}

TEST(WriteFailure, AFolderThatIsNotThereIsNamed) {
  ScratchFolder folder;
  const WriteResult result = Writer().WriteDocument(model::Document(), folder.File("no/a").c_str());
  EXPECT_EQ(result.status, Status::kCannotCreate);
  EXPECT_EQ(result.error_number, ENOENT);
  EXPECT_EQ(
      Writer::Describe(result, "no/a"),
      "cannot create the file: no/a: No such file or directory; give a folder that exists and "
      "that this process may write to");
}

TEST(WriteFailure, AForbiddenFolderIsNamed) {
  ScratchFolder folder;
  ASSERT_EQ(chmod(folder.path().c_str(), 0500), 0);
  constexpr uid_t kNobody = 65534;
  const bool is_root = geteuid() == 0;  // permissions do not stop root
  if (is_root) ASSERT_EQ(seteuid(kNobody), 0);
  const WriteResult result =
      Writer().WriteDocument(model::Document(), folder.File("a.sfdump").c_str());
  if (is_root) ASSERT_EQ(seteuid(0), 0);
  chmod(folder.path().c_str(), 0700);
  EXPECT_EQ(result.status, Status::kCannotCreate);
  EXPECT_EQ(result.error_number, EACCES);
  EXPECT_EQ(folder.Files(), 0U);
}

TEST(WriteFailure, AFolderInThePlaceOfTheFileIsLeftAlone) {
  ScratchFolder folder;
  std::filesystem::create_directory(folder.File("a.sfdump"));
  const WriteResult result =
      Writer().WriteDocument(model::Document(), folder.File("a.sfdump").c_str());
  EXPECT_EQ(result.status, Status::kCannotRename);
  EXPECT_EQ(folder.Files(), 1U);
}

TEST(WriteFailure, ANameThatIsTooLongIsRefused) {
  EXPECT_EQ(Writer().WriteDocument(model::Document(), std::string(5000, 'a').c_str()).status,
            Status::kNameTooLong);
}

TEST(WriteFailure, ATemporaryFileOfADeadProcessIsReplaced) {
  ScratchFolder folder;
  const std::string path = folder.File("a.sfdump");
  std::ofstream(path + "." + std::to_string(getpid()) + ".tmp") << "left over";
  EXPECT_TRUE(Writer().WriteDocument(SampleDocument(1), path.c_str()).ok());
  EXPECT_EQ(folder.Files(), 1U);
  EXPECT_TRUE(ReadDumpFile(path.c_str()).ok());
}

TEST(Status, HasATextForEachNumber) {
  EXPECT_STREQ(StatusText(Status::kOk), "fine");
  EXPECT_STREQ(StatusText(Status::kDamaged), "damaged or truncated");
  EXPECT_STREQ(StatusText(static_cast<Status>(200)), "unknown");
}

}  // namespace
}  // namespace stillframe::dump
