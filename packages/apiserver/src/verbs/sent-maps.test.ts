import { fieldInvalid, newInvalid } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { StatusError } from "../status-error.ts";
import { showingEmptyMaps } from "./sent-maps.ts";

const refusal = new StatusError(
  newInvalid({ group: "apps", kind: "Deployment" }, "a", [
    fieldInvalid("spec.labels", null, "no match"),
    fieldInvalid("spec.other", null, "x"),
  ]),
);

describe("maps that were sent empty", () => {
  it("are shown as such in the error about them, and no others", async () => {
    const refused = (paths: readonly string[]): Promise<unknown> =>
      showingEmptyMaps(new Set(paths), () => Promise.reject(refusal)).catch((error: unknown) => error);
    const { status } = (await refused(["spec.labels"])) as StatusError;
    expect(status.message).toContain("[spec.labels: Invalid value: {}: no match, spec.other: Invalid value: null: x]");
    expect(status.details?.causes?.map(({ message }) => message)).toEqual(["Invalid value: {}: no match", "Invalid value: null: x"]);
    expect(((await refused(["spec"])) as StatusError).status).toEqual(refusal.status);
  });
});
