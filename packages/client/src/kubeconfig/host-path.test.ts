import { describe, expect, it } from "vitest";
import { folderOf, hasSeparator, isAbsolutePath, resolvePath, splitPathList } from "./host-path.ts";

const linux = { platform: "linux", cwd: "/srv", homeDir: "/home/ada" };
const windows = { platform: "win32", cwd: "C:\\work", homeDir: "C:\\Users\\ada" };

describe("paths of the host", () => {
  it.each([
    [linux, "/a/b", "c", "/a/b/c"],
    [linux, "/a/b", "./c/../d", "/a/b/d"],
    [linux, "/a/b", "../../../..", "/"],
    [linux, "/a", "/x//y/", "/x/y"],
    [linux, "/", "a", "/a"],
    [linux, "/a", "C:\\x", "/a/C:\\x"],
    [windows, "C:\\a", "b\\c", "C:\\a\\b\\c"],
    [windows, "C:\\a", "D:/x/./y", "D:\\x\\y"],
    [windows, "C:\\a", "\\\\server\\share\\x", "\\\\server\\share\\x"],
    [windows, "C:\\a", "..\\..\\b", "C:\\b"],
    [windows, "\\\\server\\share\\a", "..\\..\\..\\b", "\\\\server\\share\\b"],
    [windows, "\\\\server\\share", "b", "\\\\server\\share\\b"],
    [windows, "//server/share/a", "..", "\\\\server\\share\\"],
    [windows, "C:\\a", "\\b", "C:\\a\\b"],
  ])("%o: relative to %s, %s is %s", (host, base, path, expected) => {
    expect(resolvePath(host, base, path)).toBe(expected);
  });

  it("finds the directory of a file, also of a relative one", () => {
    expect([
      folderOf(linux, "/a/b/config"),
      folderOf(linux, "config"),
      folderOf(linux, "../x/config"),
      folderOf(windows, "conf\\config"),
    ]).toEqual(["/a/b", "/srv", "/x", "C:\\work\\conf"]);
  });

  it("recognises absolute paths, and commands that are paths", () => {
    expect([
      isAbsolutePath(linux, "/a"),
      isAbsolutePath(linux, "a"),
      isAbsolutePath(windows, "C:/a"),
      isAbsolutePath(windows, "C:a"),
      isAbsolutePath(windows, "/a"),
    ]).toEqual([true, false, true, false, false]);
    expect([hasSeparator(linux, "./a"), hasSeparator(linux, "a\\b"), hasSeparator(windows, "a\\b"), hasSeparator(windows, "a")]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it("splits a list of files at the system's separator, without duplicates and empty names", () => {
    expect(splitPathList(linux, "/b:/a::/b:c;d")).toEqual(["/b", "/a", "c;d"]);
    expect(splitPathList(windows, 'C:\\b;D:\\a;;C:\\b;"E:\\x;y"\\z')).toEqual(["C:\\b", "D:\\a", "E:\\x;y\\z"]);
  });
});
