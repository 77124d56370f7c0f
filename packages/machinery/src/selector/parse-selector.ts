/**
 * Label selectors in URLs and on command lines: `tier in (api,web),env!=test,!canary,age>3`.
 *
 *     text → tokens → Requirement[] → Selector
 */
import { compareBytes } from "../go/byte-text.ts";
import { printFieldError } from "../field/field-error-text.ts";
import { binaryOperators, newRequirement, validateKey } from "./requirement.ts";
import type { Requirement, RequirementOperator } from "./requirement.ts";
import { Selector } from "./selector.ts";
import { SelectorError } from "./selector-error.ts";
import { tokenize } from "./selector-token.ts";
import type { Token } from "./selector-token.ts";

/** Parses a selector; the empty text selects everything. Throws a {@link SelectorError} with the server's message. */
export function parseSelector(text: string): Selector {
  return new Selector(new Parser(text).parse());
}

const end: Token = { kind: "end", text: "" };

const operators: ReadonlyMap<string, RequirementOperator> = new Map([
  ["in", "in"],
  ["notin", "notin"],
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
]);

/** Position in the tokens. `in` and `notin` are ordinary words except where an operator is required. */
class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#peek().kind === "end") return requirements;
    if (!this.#startsRequirement()) throw new SelectorError(`found '${this.#peek().text}', expected: !, identifier, or 'end of string'`);
    for (;;) {
      requirements.push(this.#requirement());
      const { kind, text } = this.#take();
      if (kind === "end") return requirements;
      if (text !== ",") throw new SelectorError(`found '${text}', expected: ',' or 'end of string'`);
      if (!this.#startsRequirement()) throw new SelectorError(`found '${this.#peek().text}', expected: identifier after ','`);
    }
  }

  #requirement(): Requirement {
    try {
      const isAbsent = this.#peek().text === "!";
      if (isAbsent) this.#take();
      const key = this.#key();
      if (isAbsent) return newRequirement(key, "!");
      if (this.#atEndOfRequirement()) return newRequirement(key, "exists");
      const operator = this.#operator();
      return newRequirement(key, operator, operator === "in" || operator === "notin" ? this.#valueSet() : [this.#value()]);
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      throw new SelectorError(`unable to parse requirement: ${error.message}`);
    }
  }

  #key(): string {
    const { kind, text } = this.#take();
    if (kind !== "word") throw new SelectorError(`found '${text}', expected: identifier`);
    const [error] = validateKey(text, "");
    if (error !== undefined) throw new SelectorError(printFieldError(error));
    return text;
  }

  #operator(): RequirementOperator {
    const { text } = this.#take();
    const operator = operators.get(text);
    if (operator === undefined) throw new SelectorError(`found '${text}', expected: ${binaryOperators.join(", ")}`);
    return operator;
  }

  #value(): string {
    if (this.#atEndOfRequirement()) return "";
    const { kind, text } = this.#take();
    if (kind !== "word") throw new SelectorError(`found '${text}', expected: identifier`);
    return text;
  }

  // Between parentheses an empty place is the empty value: "()" is "", and "(a,,)" is "a" and "".
  #valueSet(): string[] {
    const open = this.#take();
    if (open.text !== "(") throw new SelectorError(`found '${open.text}' expected: '('`);
    const values = new Set<string>();
    for (let expected = "',', ')' or identifier"; ; expected = "',', or identifier") {
      const { kind, text } = this.#peek();
      if (kind !== "word" && text !== "," && text !== ")") throw new SelectorError(`found '${text}', expected: ${expected}`);
      values.add(kind === "word" ? this.#take().text : "");
      const next = this.#take();
      if (next.text === ")") return [...values].toSorted(compareBytes);
      if (next.text !== ",") throw new SelectorError(`found '${next.text}', expected: ',' or ')'`);
    }
  }

  #startsRequirement(): boolean {
    return this.#peek().kind === "word" || this.#peek().text === "!";
  }

  #atEndOfRequirement(): boolean {
    return this.#peek().kind === "end" || this.#peek().text === ",";
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? end;
  }

  #take(): Token {
    return this.#tokens[this.#position++] ?? end;
  }
}
