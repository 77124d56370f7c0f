/** Why a file could not be read or a program not be started, in words for the end of a sentence. */
import { isFileError } from "../host.ts";
import type { FileErrorReason } from "../host.ts";

const words: Readonly<Record<FileErrorReason, string>> = {
  missing: "it does not exist",
  denied: "access to it is denied",
  exists: "it is there already",
  "not-a-file": "it is not a file",
  other: "the system refused",
};

/** "it does not exist", "access to it is denied" …; nothing of the error's own text, which nobody vouches for. */
export function fileProblem(error: unknown): string {
  return words[isFileError(error) ? error.reason : "other"];
}
