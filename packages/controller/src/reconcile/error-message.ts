/** Message of anything that can be thrown. */
import { errorText } from "@drover/machinery";

/** Returns the message of an error, or its name if the message is empty; any other value as text. Never throws. */
export function errorMessage(error: unknown): string {
  return errorText(error);
}
