/**
 * The file of --token-auth-file: comma-separated values, one user per line.
 *
 *     token,user,uid,"group1,group2"  →  readTokenFile  →  StaticToken
 */
import type { StaticToken } from "@drover/apiserver";
import { CommandError } from "../command-error.ts";

/** Lines of the file. */
const linesMax = 100_000;

/** Empty lines are skipped; of several lines with one token, the last counts. Throws a `CommandError` that names the line. */
export function readTokenFile(text: string): readonly StaticToken[] {
  const byToken = new Map<string, StaticToken>();
  const lines = text.split(/\r?\n/);
  if (lines.length > linesMax) throw new CommandError(`--token-auth-file has ${lines.length} lines; at most ${linesMax} are read`);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const fields = fieldsOf(line);
    const [token = "", name = "", uid = "", groups = ""] = fields ?? [];
    // A token must not appear in an error message.
    const problem =
      fields === undefined
        ? "a quote is not closed"
        : fields.length < 3
          ? `it has ${fields.length} fields instead of token,user,uid and perhaps groups`
          : token === ""
            ? "the token is empty"
            : name === ""
              ? "the user is empty"
              : undefined;
    if (problem !== undefined) throw new CommandError(`--token-auth-file: line ${index + 1}: ${problem}`);
    const list = groups.split(",").flatMap((group) => (group.trim() === "" ? [] : [group.trim()]));
    byToken.set(token, { token, user: { name, groups: list, ...(uid === "" ? {} : { uid }) } });
  }
  return [...byToken.values()];
}

/** Returns the fields of a line, without the quotes around them; undefined if a quote is not closed. */
function fieldsOf(line: string): readonly string[] | undefined {
  const fields: string[] = [];
  let rest = line;
  for (;;) {
    const [whole, quoted, plain = ""] = /^\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(?=,|$)/.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    fields.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    if (rest.length === whole.length) return fields;
    rest = rest.slice(whole.length + 1);
  }
}
