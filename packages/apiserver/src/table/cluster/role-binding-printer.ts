/** RoleBinding and ClusterRoleBinding: role and subjects. */
import type { ClusterRoleBinding, RoleBinding, Subject } from "@drover/api/rbac/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const roleBindingPrinter: TablePrinter = printer<RoleBinding | ClusterRoleBinding>(
  [
    nameColumn,
    column("Role", "The role that is given."),
    ageColumn,
    column("Users", "The users it is given to.", { priority: 1 }),
    column("Groups", "The groups it is given to.", { priority: 1 }),
    column("ServiceAccounts", "The service accounts it is given to.", { priority: 1 }),
  ],
  ({ metadata: { name = "", creationTimestamp }, roleRef, subjects = [] }, now) => {
    const names = (wanted: string, text: (subject: Subject) => string): string =>
      subjects
        .filter(({ kind }) => kind === wanted)
        .map(text)
        .join(", ");
    return [
      name,
      `${roleRef.kind}/${roleRef.name}`,
      ageOf(creationTimestamp, now),
      names("User", (user) => user.name),
      names("Group", (group) => group.name),
      names("ServiceAccount", (account) => `${account.namespace ?? ""}/${account.name}`),
    ];
  },
);
