import { describe, expect, it } from "vitest";
import { StatusError } from "../status-error.ts";
import { oversizedBody } from "./oversized-body.ts";

describe("oversizedBody", () => {
  it("throws kube-apiserver's 413 when it is read (X5)", async () => {
    const chunks = oversizedBody(3_145_728)[Symbol.asyncIterator]();
    const error = await chunks.next().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(StatusError);
    expect((error as StatusError).status).toMatchObject({
      code: 413,
      reason: "RequestEntityTooLarge",
      message: "Request entity too large: limit is 3145728",
    });
  });
});
