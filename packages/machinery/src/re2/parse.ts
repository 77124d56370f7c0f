/**
 * Parses a pattern in Go's dialect of RE2, as `regexp.Compile` does: Perl's syntax without back-references and look-around.
 *
 * Open groups are on an explicit stack, not the call stack, so no pattern nests too deeply.
 */
import { CharClassBuilder, singleChar } from "./char-class.ts";
import type { CharClass, Folding } from "./char-class.ts";
import { Cursor } from "./cursor.ts";
import { newline } from "./edge.ts";
import { parseBracketClass, parseEscape, parseNamedClass } from "./parse-class.ts";
import { Re2SyntaxError } from "./re2-syntax-error.ts";
import { alternateNode, assertNode, captureNode, charNode, concatNode, repeatNode, repeatsWithin } from "./syntax-tree.ts";
import type { Assertion, Node } from "./syntax-tree.ts";

const heightMax = 1000;
const repeatMax = 1000;
/**
 * Maximum instructions of a compiled program. Go allows three million, with which a single-threaded program would block for seconds
 * on every text; a pattern this large is a mistake or an attack.
 */
const sizeMax = 50_000;

interface Flags {
  readonly folding: Folding;
  readonly multiLine: boolean;
  readonly dotMatchesNewline: boolean;
  readonly lazyByDefault: boolean;
}

interface OpenGroup {
  /** Number of the capture, from 1; undefined for a non-capturing group. */
  readonly capture: number | undefined;
  readonly flagsOutside: Flags;
  readonly alternatives: Node[];
  sequence: Node[];
}

/** Returns the syntax tree of a pattern. Throws a {@link Re2SyntaxError} with Go's message. */
export function parse(pattern: string): Node {
  return new Parser(pattern).parse();
}

class Parser {
  readonly #cursor: Cursor;
  #flags: Flags = { folding: "exact", multiLine: false, dotMatchesNewline: false, lazyByDefault: false };
  #captures = 0;
  readonly #open: OpenGroup[] = [];
  #group: OpenGroup = { capture: undefined, flagsOutside: this.#flags, alternatives: [], sequence: [] };
  /** Size of everything parsed so far, so that a long pattern is rejected early. */
  #size = 0;

  constructor(pattern: string) {
    this.#cursor = new Cursor(pattern);
  }

  parse(): Node {
    const cursor = this.#cursor;
    let lastRepeat: number | undefined;
    while (!cursor.done) {
      const start = cursor.at;
      const repeated = this.#repetition(lastRepeat);
      if (!repeated) this.#atom();
      lastRepeat = repeated ? start : undefined;
    }
    if (this.#open.length > 0) throw new Re2SyntaxError("missing closing )", cursor.text);
    return this.#closeAlternatives(this.#group);
  }

  #atom(): void {
    const cursor = this.#cursor;
    switch (cursor.text.charAt(cursor.at)) {
      case "(":
        return this.#openGroup();
      case ")":
        return this.#closeGroup();
      case "|":
        cursor.take("|");
        this.#group.alternatives.push(concatNode(this.#group.sequence));
        this.#group.sequence = [];
        return;
      case "^":
        cursor.take("^");
        return this.#assertion(this.#flags.multiLine ? "begin-line" : "begin-text");
      case "$":
        cursor.take("$");
        return this.#assertion(this.#flags.multiLine ? "end-line" : "end-text");
      case ".":
        cursor.take(".");
        return this.#push(charNode(anyChar(this.#flags)));
      case "[":
        return this.#push(charNode(parseBracketClass(cursor, this.#flags.folding)));
      case "\\":
        return this.#escape();
      default:
        return this.#literal(cursor.next());
    }
  }

  #literal(codePoint: number): void {
    this.#push(charNode(singleChar(codePoint, this.#flags.folding)));
  }

  #assertion(assertion: Assertion): void {
    this.#push(assertNode(assertion));
  }

  #push(node: Node): void {
    this.#checkLimits(node);
    this.#size += node.size;
    if (this.#size > sizeMax) throw new Re2SyntaxError("expression too large", this.#cursor.text);
    this.#group.sequence.push(node);
  }

  #escape(): void {
    const cursor = this.#cursor;
    if (cursor.take("\\A")) return this.#assertion("begin-text");
    if (cursor.take("\\z")) return this.#assertion("end-text");
    if (cursor.take("\\b")) return this.#assertion("word-boundary");
    if (cursor.take("\\B")) return this.#assertion("no-word-boundary");
    if (cursor.sees("\\C")) throw new Re2SyntaxError("invalid escape sequence", "\\C");
    if (cursor.take("\\Q")) return this.#quotation();
    const named = parseNamedClass(cursor, this.#flags.folding);
    if (named === undefined) this.#literal(parseEscape(cursor));
    else this.#push(charNode(named));
  }

  /** `\Q…\E`: everything in between, or up to the end, is literal. */
  #quotation(): void {
    const cursor = this.#cursor;
    const found = cursor.find("\\E", cursor.at);
    const end = found < 0 ? cursor.text.length : found;
    while (cursor.at < end) this.#literal(cursor.next());
    cursor.take("\\E");
  }

  #openGroup(): void {
    const cursor = this.#cursor;
    if (!cursor.sees("(?")) {
      cursor.take("(");
      this.#enter("capture");
      return;
    }
    const nameStart =
      cursor.sees("(?P<") && cursor.at + 4 < cursor.text.length
        ? 4
        : cursor.sees("(?<") && cursor.at + 3 < cursor.text.length
          ? 3
          : undefined;
    if (nameStart === undefined) return this.#flagGroup();
    const end = cursor.find(">", cursor.at);
    if (end < 0) throw new Re2SyntaxError("invalid named capture", cursor.from(cursor.at));
    const name = cursor.text.slice(cursor.at + nameStart, end);
    if (!/^[0-9A-Za-z_]+$/.test(name)) throw new Re2SyntaxError("invalid named capture", cursor.text.slice(cursor.at, end + 1));
    cursor.at = end + 1;
    this.#enter("capture");
  }

  /** `(?i)`, which changes the flags to the end of the enclosing group, or `(?i:`, which opens a group. */
  #flagGroup(): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    cursor.take("(?");
    let flags = this.#flags;
    let value = true;
    let sawFlag = false;
    while (!cursor.done) {
      const char = String.fromCodePoint(cursor.next());
      if (char === "-" && value) {
        value = false;
        sawFlag = false;
        continue;
      }
      if ((char === ":" || char === ")") && (value || sawFlag)) {
        if (char === ":") this.#enter("no-capture");
        this.#flags = flags;
        return;
      }
      const changed = withFlag(flags, char, value);
      if (changed === undefined) break;
      flags = changed;
      sawFlag = true;
    }
    throw new Re2SyntaxError("invalid or unsupported Perl syntax", cursor.since(start));
  }

  #enter(kind: "capture" | "no-capture"): void {
    const capture = kind === "capture" ? ++this.#captures : undefined;
    this.#open.push(this.#group);
    this.#group = { capture, flagsOutside: this.#flags, alternatives: [], sequence: [] };
  }

  #closeGroup(): void {
    const { capture, flagsOutside } = this.#group;
    const node = this.#closeAlternatives(this.#group);
    const outer = this.#open.pop();
    if (outer === undefined) throw new Re2SyntaxError("unexpected )", this.#cursor.text);
    this.#cursor.take(")");
    this.#flags = flagsOutside;
    this.#group = outer;
    const whole = capture === undefined ? node : captureNode(capture, node);
    this.#checkLimits(whole);
    outer.sequence.push(whole);
  }

  #closeAlternatives({ alternatives, sequence }: OpenGroup): Node {
    const node = alternateNode([...alternatives, concatNode(sequence)]);
    this.#checkLimits(node);
    return node;
  }

  /** Parses `*`, `+`, `?` or `{n,m}` with its `?`, if present, and applies it to the previous node. */
  #repetition(lastRepeat: number | undefined): boolean {
    const cursor = this.#cursor;
    const start = cursor.at;
    const counts = takeRepeatCounts(cursor);
    if (counts === undefined) return false;
    const { min, max, counted } = counts;
    if (counted && (min > repeatMax || (max !== Infinity && (max > repeatMax || min > max)))) {
      throw new Re2SyntaxError("invalid repeat count", cursor.since(start));
    }
    const greedy = cursor.take("?") === this.#flags.lazyByDefault;
    if (lastRepeat !== undefined) throw new Re2SyntaxError("invalid nested repetition operator", cursor.since(lastRepeat));
    const child = this.#group.sequence.pop();
    if (child === undefined) throw new Re2SyntaxError("missing argument to repetition operator", cursor.since(start));
    const node = repeatNode({ child, min, max, greedy, counted });
    this.#checkLimits(node);
    if (counted && (min >= 2 || (max !== Infinity && max >= 2)) && !repeatsWithin(node, repeatMax)) {
      throw new Re2SyntaxError("invalid repeat count", cursor.since(start));
    }
    this.#group.sequence.push(node);
    return true;
  }

  #checkLimits({ height, size }: Node): void {
    if (size > sizeMax) throw new Re2SyntaxError("expression too large", this.#cursor.text);
    if (height > heightMax) throw new Re2SyntaxError("expression nests too deeply", this.#cursor.text);
  }
}

function withFlag(flags: Flags, letter: string, value: boolean): Flags | undefined {
  switch (letter) {
    case "i":
      return { ...flags, folding: value ? "any-case" : "exact" };
    case "m":
      return { ...flags, multiLine: value };
    case "s":
      return { ...flags, dotMatchesNewline: value };
    case "U":
      return { ...flags, lazyByDefault: value };
    default:
      return undefined;
  }
}

interface RepeatCounts {
  readonly min: number;
  readonly max: number;
  readonly counted: boolean;
}

function takeRepeatCounts(cursor: Cursor): RepeatCounts | undefined {
  if (cursor.take("*")) return { min: 0, max: Infinity, counted: false };
  if (cursor.take("+")) return { min: 1, max: Infinity, counted: false };
  if (cursor.take("?")) return { min: 0, max: 1, counted: false };
  if (!cursor.sees("{")) return undefined;
  // Numbers without leading zeros; anything else in braces is literal.
  const braces = /\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}/y;
  braces.lastIndex = cursor.at;
  const match = braces.exec(cursor.text);
  if (match === null) return undefined;
  cursor.at = braces.lastIndex;
  const [, minText = "", range, maxText] = match;
  const min = Number(minText);
  const max = range === undefined ? min : maxText === undefined ? Infinity : Math.min(Number(maxText), repeatMax + 1);
  return { min, max, counted: true };
}

function anyChar({ dotMatchesNewline }: Flags): CharClass {
  const builder = new CharClassBuilder();
  if (!dotMatchesNewline) builder.addRange(newline, newline, "exact");
  return builder.build({ negated: true });
}
