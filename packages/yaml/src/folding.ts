/**
 * How plain and quoted scalars join their lines: blanks at a line break vanish, one line break becomes a space, each further one stays.
 * LS and PS are never folded away.
 */
export class Folding {
  #text = "";
  #blanks = "";
  #firstBreak = "";
  #moreBreaks = "";

  /** The scalar so far, without what would only matter if more followed. */
  get text(): string {
    return this.#text;
  }

  add(text: string): void {
    this.flush();
    this.#text += text;
  }

  addBlank(blank: string): void {
    this.#blanks += blank;
  }

  addBreak(lineBreak: string): void {
    this.#blanks = "";
    if (this.#firstBreak === "") this.#firstBreak = lineBreak;
    else this.#moreBreaks += lineBreak;
  }

  /** A line break that stays, since an escaped one came before it. */
  addFurtherBreak(lineBreak: string): void {
    this.#moreBreaks += lineBreak;
  }

  /** Takes the blanks and breaks for part of the text. */
  flush(): void {
    const joined = this.#firstBreak === "\n" ? this.#moreBreaks || " " : this.#firstBreak + this.#moreBreaks;
    this.#text += joined || this.#blanks;
    this.#blanks = this.#firstBreak = this.#moreBreaks = "";
  }
}
