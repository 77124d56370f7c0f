/** The strategies of RoleBinding and ClusterRoleBinding. The role is immutable. */
import type { ClusterRoleBinding, RoleBinding, RoleRef, Subject } from "@drover/api/rbac/v1";
import { checkPathSegmentName, checkSubdomainName, fieldNotSupported, fieldRequired, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf, validateRequiredText } from "../checked-field.ts";
import { invalidStruct } from "../named-text.ts";

const group = "rbac.authorization.k8s.io";

/** The strategy of RoleBinding. */
export const roleBindingStrategy: Strategy<RoleBinding> = bindingStrategy({ roleKinds: ["Role", "ClusterRole"], namespaced: true });

/** The strategy of ClusterRoleBinding. */
export const clusterRoleBindingStrategy: Strategy<ClusterRoleBinding> = bindingStrategy({ roleKinds: ["ClusterRole"], namespaced: false });

interface BindingRules {
  readonly roleKinds: readonly string[];
  readonly namespaced: boolean;
}

type Binding = DeepReadonly<RoleBinding | ClusterRoleBinding>;

function bindingStrategy(rules: BindingRules): Pick<Strategy<RoleBinding> & Strategy<ClusterRoleBinding>, "validate" | "validateUpdate"> {
  return {
    validate: (binding: Binding) => validateBinding(binding, rules),
    validateUpdate: (binding: Binding, old: Binding) => [
      ...validateBinding(binding, rules),
      ...(semanticEqual(binding.roleRef, old.roleRef)
        ? []
        : [invalidStruct("roleRef", shownRole(binding.roleRef), "cannot change roleRef")]),
    ],
  };
}

function shownRole({ apiGroup = "", kind, name }: DeepReadonly<RoleRef>): object {
  return { APIGroup: apiGroup, Kind: kind, Name: name };
}

function validateBinding({ roleRef, subjects }: Binding, { roleKinds, namespaced }: BindingRules): FieldError[] {
  const { apiGroup = "", kind, name } = roleRef;
  return [
    ...(apiGroup === group ? [] : [fieldNotSupported("roleRef.apiGroup", apiGroup, [group])]),
    ...(roleKinds.includes(kind) ? [] : [fieldNotSupported("roleRef.kind", kind, roleKinds)]),
    ...validateRequiredText(name, "roleRef.name", checkPathSegmentName),
    ...(subjects ?? []).flatMap((subject, index) => validateSubject(subject, `subjects[${index}]`, namespaced)),
  ];
}

function validateSubject(
  { kind, name, namespace = "", apiGroup = "" }: DeepReadonly<Subject>,
  path: FieldPath,
  namespaced: boolean,
): FieldError[] {
  const errors = name === "" ? [fieldRequired(`${path}.name`)] : [];
  switch (kind) {
    case "ServiceAccount":
      if (name !== "") errors.push(...problemsOf(`${path}.name`, name, checkSubdomainName(name)));
      if (apiGroup !== "") errors.push(fieldNotSupported(`${path}.apiGroup`, apiGroup, [""]));
      if (!namespaced && namespace === "") errors.push(fieldRequired(`${path}.namespace`));
      return errors;
    case "User":
    case "Group":
      return apiGroup === group ? errors : [...errors, fieldNotSupported(`${path}.apiGroup`, apiGroup, [group])];
    default:
      return [...errors, fieldNotSupported(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"])];
  }
}
