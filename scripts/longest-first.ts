/**
 * The order of test files: those that take minutes in the long mode start first, so that no worker is left with one of
 * them at the end. The others keep vitest's order: failed ones first, then by duration.
 */
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

const longest: readonly string[] = [
  "conformance/client/rest.test.ts",
  "packages/dev-cluster/src/random-cluster/random-cluster.test.ts",
  "conformance/kubectl/kubectl-session.test.ts",
  "conformance/kubectl/access-session.test.ts",
  "conformance/documents/start.test.ts",
  "conformance/documents/guide.test.ts",
  "packages/apiserver/src/testing/histories/histories.test.ts",
  "conformance/controller-manager/statefulset.test.ts",
  "packages/controller-manager/src/job/job-faults.test.ts",
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((path) => moduleId.endsWith(path));
      return place === -1 ? longest.length : place;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own order of files, and a new array
    const ordered = await super.sort(files);
    return ordered.toSorted((one, other) => rank(one) - rank(other));
  }
}
