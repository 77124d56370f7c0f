/**
 * Parses an expression.
 *
 *     text → tokenize → parseExpression → Expression, or issues
 *
 * Messages equal cel-go's for the first syntax error; parsing stops there, where cel-go tries to recover.
 */
import type { Expression, MapEntry, StructField } from "./expression.ts";
import type { CelIssue } from "./issue.ts";
import { issuesMax, tokenize } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import { expandMacro } from "./macros.ts";
import { readNumber } from "./number-literal.ts";
import { readBytesLiteral, readTextLiteral } from "./text-literal.ts";

/** Longer texts are refused. */
const codePointsMax = 100_000;
/** Maximum nesting depth. */
const depthMax = 250;

/** An expression, or its problems. */
export type Parsed = { readonly expression: Expression } | { readonly issues: readonly CelIssue[] };

/** Parses a text. */
export function parseExpression(text: string): Parsed {
  const size = Array.from(text).length;
  if (size > codePointsMax)
    return { issues: [{ position: -1, message: `expression code point size exceeds limit: size: ${size}, limit ${codePointsMax}` }] };
  const issues: CelIssue[] = [];
  const tokens = tokenize(text, issues);
  // The lexer has given up.
  if (issues.length > issuesMax) return { issues };
  const parser = new Parser(tokens, issues);
  const expression = parser.parse();
  return issues.length > 0 || expression === undefined ? { issues } : { expression };
}

const firstTokens = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const firstSymbols: ReadonlySet<string> = new Set(["[", "{", "(", ".", "-", "!", "true", "false", "null"]);
const relations: ReadonlySet<string> = new Set(["<", "<=", ">=", ">", "==", "!=", "in"]);
const reserved: ReadonlySet<string> = new Set([
  "as",
  "break",
  "const",
  "continue",
  "else",
  "false",
  "for",
  "function",
  "if",
  "import",
  "in",
  "let",
  "loop",
  "package",
  "namespace",
  "null",
  "return",
  "true",
  "var",
  "void",
  "while",
]);

/** Thrown at the first syntax error; never leaves this file. */
class SyntaxStop extends Error {}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #issues: CelIssue[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], issues: CelIssue[]) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  parse(): Expression | undefined {
    try {
      const expression = this.#expression();
      if (this.#token.kind !== "end")
        throw this.#stop(`${this.#ahead.kind === "end" ? "extraneous" : "mismatched"} input '${this.#token.text}' expecting <EOF>`);
      return expression;
    } catch (error) {
      if (error instanceof SyntaxStop) return undefined;
      throw error;
    }
  }

  get #token(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] as Token;
  }

  get #ahead(): Token {
    return this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)] as Token;
  }

  #is(symbol: string): boolean {
    return this.#token.kind === "symbol" && this.#token.text === symbol;
  }

  #take(): Token {
    const token = this.#token;
    this.#at++;
    return token;
  }

  #takeIf(symbol: string): Token | undefined {
    return this.#is(symbol) ? this.#take() : undefined;
  }

  #stop(message: string, position: number = this.#token.position): SyntaxStop {
    this.#issues.push({ position, message: `Syntax error: ${message}` });
    return new SyntaxStop();
  }

  #report(position: number, message: string): Expression {
    this.#issues.push({ position, message });
    return { kind: "literal", value: null, position };
  }

  /** Consumes a symbol. Otherwise the error lists what is allowed, or names the missing symbol if the rest would parse with it. */
  #expect(symbol: string, others = ""): Token {
    if (this.#is(symbol)) return this.#take();
    const { text, kind } = this.#token;
    const wanted = others === "" ? `'${symbol}'` : `{'${symbol}', ${others}}`;
    if (this.#ahead.kind === "symbol" && this.#ahead.text === symbol) throw this.#stop(`extraneous input '${text}' expecting ${wanted}`);
    const begins = kind !== "end" && (kind !== "symbol" || firstSymbols.has(text));
    const canFollow = symbol === ":" ? begins : kind === "end" ? this.#depth <= 1 : !begins;
    throw this.#stop(canFollow && others === "" ? `missing '${symbol}' at '${text}'` : `mismatched input '${text}' expecting ${wanted}`);
  }

  #expression(): Expression {
    if (++this.#depth > depthMax) {
      this.#issues.push({ position: -1, message: `expression recursion limit exceeded: ${depthMax}` });
      throw new SyntaxStop();
    }
    const condition = this.#logical("||", () => this.#logical("&&", () => this.#relation()));
    const question = this.#takeIf("?");
    let result = condition;
    if (question !== undefined) {
      const whenTrue = this.#logical("||", () => this.#logical("&&", () => this.#relation()));
      this.#expect(":");
      result = this.#call("_?_:_", question.position, [condition, whenTrue, this.#expression()]);
    }
    this.#depth--;
    return result;
  }

  /** All terms of one junction form one call, so they do not nest. */
  #logical(symbol: "||" | "&&", term: () => Expression): Expression {
    const first = term();
    if (!this.#is(symbol)) return first;
    const { position } = this.#token;
    const terms = [first];
    while (this.#takeIf(symbol) !== undefined) terms.push(term());
    return this.#call(`_${symbol}_`, position, terms);
  }

  /** Each link of a chain nests one level deeper. */
  #limitChain(links: number): void {
    if (this.#depth + links <= depthMax) return;
    this.#issues.push({ position: -1, message: "max recursion depth exceeded" });
    throw new SyntaxStop();
  }

  #relation(): Expression {
    let left = this.#sum();
    for (let links = 1; this.#token.kind === "symbol" && relations.has(this.#token.text); links++) {
      this.#limitChain(links);
      const { text, position } = this.#take();
      left = this.#call(text === "in" ? "@in" : `_${text}_`, position, [left, this.#sum()]);
    }
    return left;
  }

  #sum(): Expression {
    let left = this.#product();
    for (let links = 1; this.#is("+") || this.#is("-"); links++) {
      this.#limitChain(links);
      const { text, position } = this.#take();
      left = this.#call(`_${text}_`, position, [left, this.#product()]);
    }
    return left;
  }

  #product(): Expression {
    let left = this.#unary();
    for (let links = 1; this.#is("*") || this.#is("/") || this.#is("%"); links++) {
      this.#limitChain(links);
      const { text, position } = this.#take();
      left = this.#call(`_${text}_`, position, [left, this.#unary()]);
    }
    return left;
  }

  #unary(): Expression {
    const { text, position } = this.#token;
    if (!this.#is("!") && !this.#is("-")) return this.#member(this.#primary());
    const isNumber = this.#ahead.kind === "int" || this.#ahead.kind === "float";
    if (text === "-" && isNumber) return this.#member(this.#primary());
    let count = 0;
    while (this.#takeIf(text) !== undefined) count++;
    const operand = this.#member(this.#primary());
    return count % 2 === 0 ? operand : this.#call(`${text}_`, position, [operand]);
  }

  #member(start: Expression): Expression {
    let operand = start;
    for (let links = 1; ; links++) {
      this.#limitChain(links);
      if (this.#is(".")) operand = this.#selection(operand);
      else if (this.#is("[")) operand = this.#index(operand);
      else return operand;
    }
  }

  #selection(operand: Expression): Expression {
    const { position } = this.#take();
    const optional = this.#takeIf("?");
    const name = this.#fieldName();
    if (optional !== undefined)
      return this.#call("_?._", position, [operand, { kind: "literal", value: name.text, position: name.position }]);
    if (!this.#is("(")) return { kind: "select", operand, field: name.text, test: false, position };
    return this.#invoke(name.text, operand);
  }

  #fieldName(): Token {
    const { kind, text, position } = this.#token;
    if (kind === "identifier" && !text.startsWith("`")) return this.#take();
    if (kind === "identifier") {
      this.#report(position, "unsupported syntax: '`'");
      return this.#take();
    }
    if (kind === "symbol" && /^(?:true|false|null)$/.test(text)) throw this.#stop(`mismatched input '${text}' expecting IDENTIFIER`);
    throw this.#stop(`no viable alternative at input '.${kind === "end" ? "" : text}'`);
  }

  #index(operand: Expression): Expression {
    const { position } = this.#take();
    const name = this.#takeIf("?") === undefined ? "_[_]" : "_[?_]";
    const index = this.#expression();
    this.#expect("]");
    return this.#call(name, position, [operand, index]);
  }

  /** A call has the position of its parenthesis, as in cel-go's messages. */
  #invoke(name: string, target: Expression | undefined): Expression {
    const { position } = this.#take();
    const args: Expression[] = [];
    if (this.#token.kind === "end") throw this.#stop(`mismatched input '<EOF>' expecting ${firstTokens.replace("'.'", "')', '.'")}`);
    if (!this.#is(")")) {
      do args.push(this.#expression());
      while (this.#takeIf(",") !== undefined);
    }
    this.#expect(")");
    const expanded = expandMacro({ name, target, args, position });
    if (expanded === undefined) return { kind: "call", name, target, args, position };
    return "message" in expanded ? this.#report(expanded.position, expanded.message) : expanded;
  }

  #call(name: string, position: number, args: readonly Expression[]): Expression {
    return { kind: "call", name, target: undefined, args, position };
  }

  #primary(): Expression {
    const token = this.#token;
    const { kind, text, position } = token;
    if (kind === "int" || kind === "uint" || kind === "float" || text === "-") return this.#number();
    if (kind === "string") return this.#text();
    if (kind === "bytes") return this.#bytes();
    if (kind === "identifier" || (kind === "symbol" && text === ".")) return this.#name();
    if (this.#takeIf("(") !== undefined) return this.#nested();
    if (this.#is("[")) return this.#list();
    if (this.#is("{")) return this.#map();
    if (kind === "symbol" && /^(?:true|false|null)$/.test(text)) {
      this.#take();
      return { kind: "literal", value: text === "null" ? null : text === "true", position };
    }
    const { kind: aheadKind, text: aheadText } = this.#ahead;
    const canSkip = kind !== "end" && aheadKind !== "end" && (aheadKind !== "symbol" || firstSymbols.has(aheadText));
    throw this.#stop(`${canSkip ? "extraneous" : "mismatched"} input '${text}' expecting ${firstTokens}`);
  }

  #nested(): Expression {
    const inner = this.#expression();
    this.#expect(")");
    return inner;
  }

  #number(): Expression {
    const sign = this.#takeIf("-");
    const token = this.#take();
    const position = sign?.position ?? token.position;
    if (token.kind !== "int" && token.kind !== "uint" && token.kind !== "float")
      throw this.#stop(`mismatched input '${token.text}' expecting ${firstTokens}`, token.position);
    const value = readNumber(token.kind, `${sign === undefined ? "" : "-"}${token.text}`);
    return value === undefined
      ? this.#report(position, `invalid ${token.kind === "float" ? "double" : token.kind} literal`)
      : { kind: "literal", value, position };
  }

  #text(): Expression {
    const { text, position } = this.#take();
    const literal = readTextLiteral(text);
    return "problem" in literal ? this.#report(position, literal.problem) : { kind: "literal", value: literal.text, position };
  }

  #bytes(): Expression {
    const { text, position } = this.#take();
    const literal = readBytesLiteral(text.slice(1));
    return "problem" in literal ? this.#report(position, literal.problem) : { kind: "literal", value: literal.bytes, position };
  }

  #name(): Expression {
    const dot = this.#takeIf(".");
    const token = this.#token;
    if (token.kind !== "identifier" || token.text.startsWith("`"))
      throw this.#stop(`mismatched input '${token.text}' expecting IDENTIFIER`);
    this.#take();
    const name = `${dot === undefined ? "" : "."}${token.text}`;
    const structName = this.#structName(name);
    if (structName !== undefined) return this.#struct(structName);
    if (reserved.has(token.text)) {
      if (this.#is("(")) this.#invoke("reserved", undefined);
      return this.#report(dot?.position ?? token.position, `reserved identifier: ${token.text}`);
    }
    return this.#is("(") ? this.#invoke(name, undefined) : { kind: "identifier", name, position: token.position };
  }

  /** Consumes the name before `{` of an object construction; undefined otherwise. */
  #structName(name: string): string | undefined {
    let ahead = this.#at;
    let whole = name;
    const text = (index: number): string | undefined => (this.#tokens[index]?.kind === "symbol" ? this.#tokens[index]?.text : undefined);
    while (text(ahead) === "." && this.#tokens[ahead + 1]?.kind === "identifier") {
      whole += `.${this.#tokens[ahead + 1]?.text}`;
      ahead += 2;
    }
    if (text(ahead) !== "{") return undefined;
    this.#at = ahead;
    return whole;
  }

  #struct(name: string): Expression {
    const { position } = this.#take();
    const fields: StructField[] = [];
    while (!this.#is("}")) {
      const optional = this.#takeIf("?") !== undefined;
      const { text } = this.#fieldName();
      const { position: colon } = this.#expect(":");
      fields.push({ name: text, value: this.#expression(), optional, position: colon });
      if (this.#takeIf(",") === undefined) break;
    }
    this.#expect("}");
    return { kind: "struct", name, fields, position };
  }

  #list(): Expression {
    const { position } = this.#take();
    const elements: Expression[] = [];
    const optional = new Set<number>();
    while (!this.#is("]")) {
      if (this.#takeIf("?") !== undefined) optional.add(elements.length);
      elements.push(this.#expression());
      if (this.#takeIf(",") === undefined) break;
    }
    this.#expect("]", "','");
    return { kind: "list", elements, optional, position };
  }

  #map(): Expression {
    const { position } = this.#take();
    const entries: MapEntry[] = [];
    while (!this.#is("}")) {
      const optional = this.#takeIf("?") !== undefined;
      const key = this.#expression();
      this.#expect(":");
      entries.push({ key, value: this.#expression(), optional });
      if (this.#takeIf(",") === undefined) break;
    }
    this.#expect("}", "','");
    return { kind: "map", entries, position };
  }
}
