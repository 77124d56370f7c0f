/**
 * Joins the lines of plain and quoted scalars: blanks at a line break vanish, one line break becomes a space, each further one
 * stays. LS and PS are never folded.
 */
export class Folding {
  #text = "";
  #blanks = "";
  #firstBreak = "";
  #moreBreaks = "";

  /** The scalar so far, without trailing blanks and breaks that only matter if more follows. */
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

  /** Adds a line break that stays, because an escaped one came before it. */
  addFurtherBreak(lineBreak: string): void {
    this.#moreBreaks += lineBreak;
  }

  /** Makes the pending blanks and breaks part of the text. */
  flush(): void {
    const joined = this.#firstBreak === "\n" ? this.#moreBreaks || " " : this.#firstBreak + this.#moreBreaks;
    this.#text += joined || this.#blanks;
    this.#blanks = this.#firstBreak = this.#moreBreaks = "";
  }
}
