import { safeConcatName } from "drover";
import type { Job } from "drover/kinds";

interface Source {
  readonly metadata: { readonly name?: string };
  readonly spec: { readonly repository: string; readonly revision: string; readonly image: string; readonly command: readonly string[] };
}

/**
 * Returns the Job of one revision. Its template is immutable, so every value in it is either part of the name or
 * constant for the lifetime of the GitJob.
 */
export function jobFor({ metadata: { name = "" }, spec: { repository, revision, image, command } }: Source): Job {
  const mount = { name: "work", mountPath: "/work" };
  const clone = `git clone "$REPOSITORY" . && git checkout --detach "$REVISION"`;
  const env = [
    { name: "REPOSITORY", value: repository },
    { name: "REVISION", value: revision },
  ];
  return {
    metadata: { name: safeConcatName(name, revision.slice(0, 7)) },
    spec: {
      backoffLimit: 2,
      template: {
        spec: {
          restartPolicy: "Never",
          volumes: [{ name: "work", emptyDir: {} }],
          initContainers: [
            { name: "clone", image: "alpine/git", workingDir: "/work", command: ["sh", "-ec", clone], env, volumeMounts: [mount] },
          ],
          containers: [{ name: "run", image, workingDir: "/work", command: [...command], env, volumeMounts: [mount] }],
        },
      },
    },
  };
}
