/** Lines that are no tape. The message names the line and the field. */
export class TapeFormatError extends Error {
  override readonly name = "TapeFormatError";
}
