import { describe, expect, it } from "vitest";
import { builtInParts } from "./built-in-parts.ts";
import { customV2Addition } from "./custom-v2.ts";
import { smallApps, smallV2 } from "./testing/small-archive.ts";
import { customResource } from "./testing/small-resources.ts";

const { paths, definitions } = customV2Addition(customResource("Widget", {}, { type: "object" }), builtInParts(smallApps, smallV2));
const item = (path: string): unknown => new Map(paths).get(path);
const shared = (name: string): unknown => ({ $ref: `#/parameters/${name}-12345678` });

describe("custom resources in the v2 document", () => {
  it("add definitions with v2 references", () => {
    expect(definitions.map(([name]) => name)).toEqual(["io.ex.v1.Widget", "io.ex.v1.WidgetList"]);
    expect(JSON.stringify(definitions)).not.toContain("#/components/");
  });

  it("add operations whose bodies are parameters", () => {
    expect(item("/apis/ex.io/v1/namespaces/{namespace}/widgets/{name}")).toMatchObject({
      put: {
        consumes: ["application/json", "application/yaml"],
        parameters: [{ name: "body", in: "body", required: true, schema: { $ref: "#/definitions/io.ex.v1.Widget" } }, shared("dryRun")],
      },
      patch: {
        consumes: ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"],
        parameters: [shared("force")],
      },
      get: {
        parameters: [shared("resourceVersion")],
        responses: {
          "200": { description: "OK", schema: { $ref: "#/definitions/io.ex.v1.Widget" } },
          "401": { description: "Unauthorized" },
        },
      },
      parameters: [{ name: "name", in: "path", required: true, type: "string", uniqueItems: true }, shared("namespace"), shared("pretty")],
    });
  });

  it("sort the parameters of a path with a single operation", () => {
    expect(item("/apis/ex.io/v1/widgets")).toMatchObject({ parameters: [shared("limit"), shared("pretty"), shared("resourceVersion")] });
  });
});
