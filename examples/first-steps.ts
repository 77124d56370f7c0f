import { Deployment } from "@drover/api/apps/v1"; // a type and a value
import { schemaFor } from "@drover/api/schemas";
import { applyStrategicMergePatch, decodeJson, parseSelector, Quantity, type JsonObject } from "@drover/machinery";

export const matches = parseSelector("app in (web,api),!legacy").matches({ app: "web" }); // true
export const memory = Quantity.parse("1.5Gi").add(Quantity.parse("512Mi")).toString(); //    "2Gi"
export const exact = decodeJson('{"size":9007199254740993}'); //                             { size: 9007199254740993n }

/** Sets the image of the container `app`. The patch merges containers by name, as kubectl does, so the proxy stays. */
export function withImage(live: JsonObject, image: string): JsonObject {
  const schema = schemaFor(Deployment);
  if (schema === undefined) throw new Error(`no schema for ${Deployment.kind}`);
  return applyStrategicMergePatch(live, { spec: { template: { spec: { containers: [{ name: "app", image }] } } } }, schema);
}
