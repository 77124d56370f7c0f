/**
 * Describes why a file could not be read or a program not be started, for the end of a sentence.
 */
import { isFileError } from "../host.ts";
import type { FileErrorReason } from "../host.ts";

const words: Readonly<Record<FileErrorReason, string>> = {
  missing: "it does not exist",
  denied: "access to it is denied",
  exists: "it already exists",
  "not-a-file": "it is not a file",
  other: "the operating system reported an error",
};

/** "it does not exist", "access to it is denied" …; never the error's own text, which may contain anything. */
export function fileProblem(error: unknown): string {
  return words[isFileError(error) ? error.reason : "other"];
}
