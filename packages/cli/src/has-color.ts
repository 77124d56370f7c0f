/** Whether the output may have colours: on a terminal, unless NO_COLOR is set or the terminal has none. */
export function hasColor(
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR: noColor = "", TERM: terminal = "" }: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTTY === true && noColor === "" && terminal !== "dumb";
}
