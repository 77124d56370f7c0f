import { expect, it } from "vitest";
import { GracePeriodError, LeaderElectionLostError, joinErrors } from "./manager-error.ts";

it("errors of a manager name what happened, and joinErrors keeps both errors", () => {
  const late = new GracePeriodError(["a", "b"], 90_000);
  expect(late.message).toBe("failed waiting for all runnables to end within grace period of 1m30s: a, b [DRV0365]");
  const lost = new LeaderElectionLostError("shop/web", "why");
  expect([lost.message, lost.cause]).toEqual(["leader election lost: lease shop/web is no longer held [DRV0360]", "why"]);
  expect(joinErrors("words", late)).toMatchObject({ errors: ["words", late], cause: "words", message: `words; and ${late.message}` });
});
