/**
 * Turns tokens into documents.
 *
 *     Scanner → Parser → Node, one per document
 */
import type { MappingNode, Node, ScalarNode, SequenceNode } from "./node.ts";
import { Scanner } from "./scanner.ts";
import type { Token, TokenKind } from "./token.ts";
import { YamlError } from "./yaml-error.ts";
import type { Place } from "./yaml-error.ts";

/** Which collections may start: flow only, block too, or also a sequence indented no more than its key. */
type Context = "flow" | "block" | "block value";

const coreTags = "tag:yaml.org,2002:";

export class Parser {
  readonly #scanner: Scanner;
  readonly #depthMax: number;
  #depth = 0;
  #anchors = new Map<string, Node>();
  #tagPrefixes = new Map<string, string>();
  #first = true;

  constructor(text: string, depthMax: number) {
    this.#scanner = new Scanner(text);
    this.#depthMax = depthMax;
  }

  /** Returns the next document, or undefined at the end of the text. */
  nextDocument(): Node | undefined {
    const explicit = this.#startDocument();
    if (explicit === undefined) return undefined;
    this.#anchors = new Map();
    const next = this.#scanner.peek();
    const empty = explicit && is(next, "version directive", "tag directive", "document start", "document end", "stream end");
    const node = empty ? emptyScalar(next) : this.#node("block");
    if (this.#scanner.peek().kind === "document end") this.#scanner.take();
    return node;
  }

  /** Whether the document starts with `---`; undefined when there is no further document. */
  #startDocument(): boolean | undefined {
    const scanner = this.#scanner;
    if (!this.#first) while (scanner.peek().kind === "document end") scanner.take();
    const implicit = this.#first && !is(scanner.peek(), "version directive", "tag directive", "document start", "stream end");
    this.#first = false;
    if (scanner.peek().kind === "stream end") return undefined;
    this.#readDirectives();
    if (implicit) return false;
    const start = scanner.peek();
    if (start.kind !== "document start") throw new YamlError("did not find expected <document start>", start);
    scanner.take();
    return true;
  }

  #readDirectives(): void {
    this.#tagPrefixes = new Map();
    let version: string | undefined;
    for (let directive = this.#scanner.peek(); is(directive, "version directive", "tag directive"); directive = this.#scanner.peek()) {
      if (directive.kind === "version directive") {
        if (version !== undefined) throw new YamlError("found duplicate %YAML directive", directive);
        version = directive.text;
        if (version !== "1.1") throw new YamlError("found incompatible YAML document", directive);
      } else {
        if (this.#tagPrefixes.has(directive.handle)) throw new YamlError("found duplicate %TAG directive", directive);
        this.#tagPrefixes.set(directive.handle, directive.text);
      }
      this.#scanner.take();
    }
    if (!this.#tagPrefixes.has("!")) this.#tagPrefixes.set("!", "!");
    if (!this.#tagPrefixes.has("!!")) this.#tagPrefixes.set("!!", coreTags);
  }

  #node(context: Context): Node {
    const start = this.#scanner.peek();
    if (start.kind === "alias") return this.#alias();
    let anchor: Token | undefined;
    let tag = "";
    for (
      let token = start;
      (token.kind === "anchor" && anchor === undefined) || (token.kind === "tag" && tag === "");
      token = this.#scanner.peek()
    ) {
      if (token.kind === "anchor") anchor = token;
      else tag = this.#tagOf(token);
      this.#scanner.take();
    }
    if (++this.#depth > this.#depthMax) throw new YamlError(`nested more than ${this.#depthMax} levels deep`, start);
    const node = this.#content(context, start, anchor, tag);
    this.#depth--;
    return node;
  }

  #alias(): Node {
    const { text: name, line, column } = this.#scanner.take();
    const target = this.#anchors.get(name);
    if (target === undefined) throw new YamlError(`unknown anchor '${name}' referenced`, { line, column });
    return { kind: "alias", name, target, line, column };
  }

  #tagOf(token: Token): string {
    if (token.handle === "") return token.text;
    const prefix = this.#tagPrefixes.get(token.handle);
    if (prefix === undefined) throw new YamlError("found undefined tag handle", token);
    return prefix + token.text;
  }

  #content(context: Context, { line, column }: Place, anchor: Token | undefined, tag: string): Node {
    const place = { line, column };
    const token = this.#scanner.peek();
    if (token.kind === "scalar") {
      this.#scanner.take();
      return this.#anchored(anchor, scalar(place, token.text, tag, tag === "!" || (tag === "" && token.style === "plain")));
    }
    if (token.kind === "[") return this.#flowSequence(this.#anchored(anchor, sequence(place)));
    if (token.kind === "{") return this.#flowMapping(this.#anchored(anchor, mapping(place)));
    if (context === "block value" && token.kind === "-") return this.#indentlessSequence(this.#anchored(anchor, sequence(place)));
    if (context !== "flow" && token.kind === "block sequence start") return this.#blockSequence(this.#anchored(anchor, sequence(place)));
    if (context !== "flow" && token.kind === "block mapping start") return this.#blockMapping(this.#anchored(anchor, mapping(place)));
    if (anchor === undefined && tag === "") throw new YamlError("did not find expected node content", token);
    return this.#anchored(anchor, scalar(place, "", tag, tag === ""));
  }

  /** Registers an anchor at the start of its node, so that a node that contains itself is detected. */
  #anchored<N extends Node>(anchor: Token | undefined, node: N): N {
    if (anchor !== undefined) this.#anchors.set(anchor.text, node);
    return node;
  }

  #blockSequence(node: Building<SequenceNode>): Node {
    this.#scanner.take();
    for (;;) {
      const token = this.#scanner.take();
      if (token.kind === "block end") return node;
      if (token.kind !== "-") throw new YamlError("did not find expected '-' indicator", token);
      node.items.push(this.#nodeUnless("block", "-", "block end"));
    }
  }

  #indentlessSequence(node: Building<SequenceNode>): Node {
    while (this.#scanner.peek().kind === "-") {
      this.#scanner.take();
      node.items.push(this.#nodeUnless("block", "-", "key", "value", "block end"));
    }
    return node;
  }

  #blockMapping(node: Building<MappingNode>): Node {
    this.#scanner.take();
    for (;;) {
      const token = this.#scanner.take();
      if (token.kind === "block end") return node;
      if (token.kind !== "key") throw new YamlError("did not find expected key", token);
      const key = this.#nodeUnless("block value", "key", "value", "block end");
      const next = this.#scanner.peek();
      node.entries.push([key, next.kind === "value" ? this.#valueUnless("block value", "key", "value", "block end") : emptyScalar(next)]);
    }
  }

  #flowSequence(node: Building<SequenceNode>): Node {
    this.#scanner.take();
    for (let first = true; ; first = false) {
      if (!first && this.#scanner.peek().kind !== "]") this.#takeComma("did not find expected ',' or ']'");
      const token = this.#scanner.peek();
      if (token.kind === "]") break;
      node.items.push(token.kind === "key" ? this.#singlePair() : this.#node("flow"));
    }
    this.#scanner.take();
    return node;
  }

  /** `[a: b]` is a list with one mapping of one entry. */
  #singlePair(): Node {
    const { line, column } = this.#scanner.take();
    const next = this.#scanner.peek();
    let key: Node;
    if (is(next, "value", ",", "]")) {
      key = emptyScalar(next);
      this.#scanner.take();
    } else {
      key = this.#node("flow");
    }
    const after = this.#scanner.peek();
    const value = after.kind === "value" ? this.#valueUnless("flow", ",", "]") : emptyScalar(after);
    return { kind: "mapping", entries: [[key, value]], line, column };
  }

  #flowMapping(node: Building<MappingNode>): Node {
    this.#scanner.take();
    for (let first = true; ; first = false) {
      if (!first && this.#scanner.peek().kind !== "}") this.#takeComma("did not find expected ',' or '}'");
      const token = this.#scanner.peek();
      if (token.kind === "}") break;
      if (token.kind === "key") {
        this.#scanner.take();
        const key = this.#nodeUnless("flow", "value", ",", "}");
        const next = this.#scanner.peek();
        node.entries.push([key, next.kind === "value" ? this.#valueUnless("flow", ",", "}") : emptyScalar(next)]);
      } else {
        const key = this.#node("flow");
        node.entries.push([key, emptyScalar(this.#scanner.peek())]);
      }
    }
    this.#scanner.take();
    return node;
  }

  #takeComma(problem: string): void {
    const token = this.#scanner.take();
    if (token.kind !== ",") throw new YamlError(problem, token);
  }

  #valueUnless(context: Context, ...absent: readonly TokenKind[]): Node {
    this.#scanner.take();
    return this.#nodeUnless(context, ...absent);
  }

  /** Parses a node, or returns null when one of these tokens shows that there is none. */
  #nodeUnless(context: Context, ...absent: readonly TokenKind[]): Node {
    const token = this.#scanner.peek();
    return is(token, ...absent) ? emptyScalar(token) : this.#node(context);
  }
}

/** A collection under construction. */
type Building<N> = { readonly [K in keyof N]: N[K] extends readonly (infer E)[] ? E[] : N[K] };

const is = ({ kind }: Token, ...kinds: readonly TokenKind[]): boolean => kinds.includes(kind);
const scalar = (place: Place, text: string, tag: string, plain: boolean): ScalarNode => ({ kind: "scalar", text, tag, plain, ...place });
const emptyScalar = ({ line, column }: Place): ScalarNode => scalar({ line, column }, "", "", true);
const sequence = (place: Place): Building<SequenceNode> => ({ kind: "sequence", items: [], ...place });
const mapping = (place: Place): Building<MappingNode> => ({ kind: "mapping", entries: [], ...place });
