/** Operation ids in OpenAPI documents: "listExIoV1NamespacedWidget", with the tag "exIo_v1". */

export interface OperationName {
  /** "list", "create", "read", "replace", "patch", "delete". */
  readonly verb: string;
  /** The object of the operation: "NamespacedWidgetStatus". */
  readonly noun: string;
}

export function operationId(group: string, version: string, { verb, noun }: OperationName): string {
  return `${verb}${identifier(shortGroup(group), true)}${identifier(version, true)}${identifier(noun, true)}`;
}

export function operationTag(group: string, version: string): string {
  return `${identifier(shortGroup(group), false)}_${identifier(version, false)}`;
}

const shortGroup = (group: string): string => (group.endsWith(".k8s.io") ? group.slice(0, -".k8s.io".length) : group);

/** Camel case of letters and digits; other characters start a new word. */
function identifier(text: string, capitalized: boolean): string {
  let written = "";
  let startsWord = capitalized;
  for (const [at, char] of Array.from(text).entries()) {
    const isPart = /[\p{L}_]/u.test(char) || (at > 0 && /\p{Nd}/u.test(char));
    if (isPart) written += startsWord ? char.toUpperCase() : char;
    startsWord = !isPart;
  }
  return written;
}
