import { describe, expect, it } from "vitest";
import { guessResource } from "./guess-resource.ts";

describe("guessResource", () => {
  it.each([
    ["Pod", "pods", "pod"],
    ["ReplicationController", "replicationcontrollers", "replicationcontroller"],
    ["ImageRepository", "imagerepositories", "imagerepository"],
    ["Status", "statuses", "status"],
    ["Ingress", "ingresses", "ingress"],
    ["lowercase", "lowercases", "lowercase"],
    ["miscellaneous", "miscellaneouses", "miscellaneous"],
    ["Endpoints", "endpoints", "endpoints"],
    ["MyEndpoints", "myendpoints", "myendpoints"],
    ["y", "ies", "y"],
    ["", "", ""],
  ])("follows the English plural as far as Kubernetes does: %s → %s", (kind, plural, singular) => {
    expect(guessResource(kind)).toEqual({ plural, singular });
  });
});
