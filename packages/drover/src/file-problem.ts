/** Converts system errors about files and programs to `FileError`. */
import { FileError, isFileError } from "@drover/client";
import type { FileErrorReason } from "@drover/client";

const reasons: Readonly<Record<string, FileErrorReason>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  EACCES: "denied",
  EPERM: "denied",
  EROFS: "denied",
  EEXIST: "exists",
  EISDIR: "not-a-file",
  ELOOP: "not-a-file",
  ENXIO: "not-a-file",
};

/** Returns a `FileError` that names the attempt and the path. */
export function asFileError(path: string, attempt: "read" | "write" | "lock" | "run", error: unknown): FileError {
  if (isFileError(error)) return error;
  const code = typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : "";
  const reason = reasons[code] ?? "other";
  return new FileError(path, reason, `${attempt} ${path}: ${words[reason]}${code === "" ? "" : ` (${code})`}`, { cause: error });
}

const words: Readonly<Record<FileErrorReason, string>> = {
  missing: "it does not exist",
  denied: "permission denied",
  exists: "it already exists",
  "not-a-file": "it is not a regular file",
  other: "the system call failed",
};
