/**
 * The Pod that the replay server sends: a recorded one with the token volume of most clusters, 7.1 KB of JSON, 2.5 KB
 * of it managedFields, with markers for the version and the time of sending.
 */
import { podTextWithToken } from "../wire/pod.ts";

interface Fields {
  [key: string]: Fields;
}
interface RecordedPod {
  metadata: { resourceVersion: string; annotations: Record<string, string>; managedFields: { fieldsV1: Fields }[] };
}

/** The markers that bench/cache/go/replay replaces. */
const versionMark = "1234567890";
const sentMark = "1234567890123456789";

export function podTemplate(): string {
  const pod = JSON.parse(
    podTextWithToken(0).replaceAll("-00000", "-x7k2p").replace("4c100000-7a35", "4c1d9e02-7a35").replaceAll("10.244.0.0", "10.244.3.17"),
  ) as RecordedPod;
  pod.metadata.resourceVersion = versionMark;
  pod.metadata.annotations["bench.drover.dev/sent"] = sentMark;
  // Some fields of one container have no owner, which gives managedFields the share they have in an ordinary Pod.
  const containers = pod.metadata.managedFields[0]?.fieldsV1["f:spec"]?.["f:containers"] ?? {};
  const second = Object.values(containers)[1] ?? {};
  for (const field of Object.keys(second)) if (JSON.stringify(pod.metadata.managedFields).length > 2550) delete second[field];
  return JSON.stringify(pod);
}
