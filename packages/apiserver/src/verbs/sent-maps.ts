/** Maps that a client sent empty: kube-apiserver prints `{}` in the error about such a map, and `null` about a missing one. */
import type { FieldPath, Status } from "@drover/machinery";
import { StatusError } from "../status-error.ts";

/** Does something with an object that was sent with empty maps, and prints them as such in errors. The set may be filled meanwhile. */
export async function showingEmptyMaps<T>(emptyMaps: ReadonlySet<FieldPath>, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof StatusError && emptyMaps.size > 0
      ? new StatusError(withEmptyMaps(error.status, emptyMaps), error.headers)
      : error;
  }
}

function withEmptyMaps(status: Status, emptyMaps: ReadonlySet<FieldPath>): Status {
  const { message = "", details } = status;
  const causes = details?.causes ?? [];
  const shown = causes.filter(({ field = "", message: text = "" }) => emptyMaps.has(field) && noValue.test(text));
  if (shown.length === 0) return status;
  return {
    ...status,
    message: shown.reduce(
      (all, { field = "", message: text = "" }) => all.replace(`${field}: ${text}`, `${field}: ${withMap(text)}`),
      message,
    ),
    details: {
      ...details,
      causes: causes.map((cause) => (shown.includes(cause) ? { ...cause, message: withMap(cause.message ?? "") } : cause)),
    },
  };
}

const noValue = /^((?:Invalid|Unsupported) value: )null(?=:|$)/;
const withMap = (text: string): string => text.replace(noValue, "$1{}");
