/** A mutation that cannot be applied; the failure policy decides what that means for the request. */
export class PatchFailure extends Error {
  override readonly name: string = "PatchFailure";
}
