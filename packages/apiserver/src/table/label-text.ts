/** Labels in one cell: "app=web,tier=front", or "<none>". */
import { compareBytes } from "@drover/machinery";

export function labelText(labels: Readonly<Record<string, string>> | undefined): string {
  return (
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .toSorted(compareBytes)
      .join(",") || "<none>"
  );
}
