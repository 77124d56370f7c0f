import type { FlowSchema } from "@drover/api/flowcontrol/v1";
import { requestInfo } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { FlowSchemas } from "./flow-schemas.ts";

const version = requestInfo("GET", "/version");
const alice = { name: "alice", groups: [] };
const schema = (name: string, matchingPrecedence: number | undefined, level = "l"): FlowSchema => ({
  metadata: { name, uid: `uid of ${name}` },
  spec: {
    priorityLevelConfiguration: { name: level },
    ...(matchingPrecedence === undefined ? {} : { matchingPrecedence }),
    rules: [{ subjects: [{ kind: "User", user: { name: "*" } }], nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }] }],
  },
});

function known(...schemas: readonly FlowSchema[]): FlowSchemas {
  const all = new FlowSchemas();
  all.putLevel("l", { metadata: { name: "l", uid: "level" } });
  for (const each of schemas) all.putSchema(each.metadata.name ?? "", each);
  return all;
}
const chosen = (schemas: FlowSchemas): string | undefined => schemas.classify(alice, version)?.flowSchemaUid;

describe("FlowSchemas.classify", () => {
  it("takes the lowest precedence, then the first name; 1000 without a precedence", () => {
    expect(chosen(known(schema("b", 7), schema("a", 7), schema("c", 9)))).toBe("uid of a");
    expect(chosen(known(schema("a", undefined), schema("b", 1001)))).toBe("uid of a");
    expect(chosen(known(schema("a", undefined), schema("b", 999)))).toBe("uid of b");
  });

  it("returns the uids of schema and level, and skips a schema whose level does not exist", () => {
    const schemas = known(schema("lost", 1, "nope"), schema("a", 2));
    expect(schemas.classify(alice, version)).toMatchObject({ flowSchemaUid: "uid of a", priorityLevelUid: "level" });
    schemas.putLevel("nope", { metadata: { name: "nope", uid: "other" } });
    expect(chosen(schemas)).toBe("uid of lost");
    schemas.putLevel("nope", undefined);
    expect(chosen(schemas)).toBe("uid of a");
    schemas.putSchema("a", undefined);
    expect(chosen(schemas)).toBeUndefined();
  });
});
