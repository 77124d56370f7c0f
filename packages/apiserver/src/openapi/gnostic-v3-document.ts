/**
 * A v3 document in its binary form: gnostic's message `openapi.v3.Document`.
 *
 *     v3 document (JSON) → gnosticV3Document → bytes
 */
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { ProtobufWriter } from "@drover/machinery/protobuf";
import { encodeMessage, externalDocsForm, listOf, objectOf, securityKind, writeMessage, writeNamed } from "./gnostic-message.ts";
import type { FieldKind, MessageForm } from "./gnostic-message.ts";

/** Encodes the whole document. */
export function gnosticV3Document(document: JsonObject): Uint8Array {
  return encodeMessage(document, documentForm);
}

const referenceForm: MessageForm = {
  fields: [
    [1, "$ref", "string"],
    [2, "summary", "string"],
    [3, "description", "string"],
  ],
};

/** Writes a choice between an object of this form and a reference to one. */
function writeOrReference(writer: ProtobufWriter, field: number, value: JsonValue, form: MessageForm): void {
  const object = objectOf(value);
  const isReference = Object.hasOwn(object, "$ref");
  writer.message(field, (choice) =>
    choice.message(isReference ? 2 : 1, (inner) => writeMessage(inner, object, isReference ? referenceForm : form)),
  );
}

const orReference = (form: () => MessageForm): FieldKind => ({
  write: (writer, field, value) => writeOrReference(writer, field, value, form()),
});

const listOrReferences = (form: () => MessageForm): FieldKind => ({
  write: (writer, field, value) => listOf(value).forEach((item) => writeOrReference(writer, field, item, form())),
});

/** A map whose values are such choices. */
const mapOrReferences = (form: () => MessageForm): FieldKind => ({
  write: (writer, field, value) =>
    writer.message(field, (map) => {
      for (const [name, item] of Object.entries(objectOf(value)))
        map.message(1, (named) => writeNamed(named, name, (at) => writeOrReference(named, at, item, form())));
    }),
});

const infoForm: MessageForm = {
  fields: [
    [1, "title", "string"],
    [2, "description", "string"],
    [3, "termsOfService", "string"],
    [6, "version", "string"],
    [8, "summary", "string"],
  ],
  extensions: 7,
};

const schemaForm: MessageForm = {
  fields: [
    [1, "nullable", "bool"],
    [3, "readOnly", "bool"],
    [4, "writeOnly", "bool"],
    [6, "externalDocs", { message: () => externalDocsForm }],
    [7, "example", "any"],
    [8, "deprecated", "bool"],
    [9, "title", "string"],
    [10, "multipleOf", "double"],
    [11, "maximum", "double"],
    [12, "exclusiveMaximum", "bool"],
    [13, "minimum", "double"],
    [14, "exclusiveMinimum", "bool"],
    [15, "maxLength", "int64"],
    [16, "minLength", "int64"],
    [17, "pattern", "string"],
    [18, "maxItems", "int64"],
    [19, "minItems", "int64"],
    [20, "uniqueItems", "bool"],
    [21, "maxProperties", "int64"],
    [22, "minProperties", "int64"],
    [23, "required", "strings"],
    [24, "enum", "anys"],
    [25, "type", "string"],
    [26, "allOf", listOrReferences(() => schemaForm)],
    [27, "oneOf", listOrReferences(() => schemaForm)],
    [28, "anyOf", listOrReferences(() => schemaForm)],
    [29, "not", { message: () => schemaForm }],
    [30, "items", { write: (writer, field, value) => writer.message(field, (items) => writeOrReference(items, 1, value, schemaForm)) }],
    [31, "properties", mapOrReferences(() => schemaForm)],
    [32, "additionalProperties", { write: writeAdditionalProperties }],
    [33, "default", { write: writeDefault }],
    [34, "description", "string"],
    [35, "format", "string"],
  ],
  extensions: 36,
};

function writeAdditionalProperties(writer: ProtobufWriter, field: number, value: JsonValue): void {
  writer.message(field, (choice) => {
    if (typeof value === "boolean") choice.bool(2, value);
    else writeOrReference(choice, 1, value, schemaForm);
  });
}

/** The message has room for scalars only, and keeps zero values; objects and lists leave it empty. */
function writeDefault(writer: ProtobufWriter, field: number, value: JsonValue): void {
  writer.message(field, (choice) => {
    if (typeof value === "number" || typeof value === "bigint") choice.double(1, Number(value));
    if (typeof value === "boolean") choice.bool(2, value);
    if (typeof value === "string") choice.string(3, value);
  });
}

const mediaTypeForm: MessageForm = {
  fields: [
    [1, "schema", orReference(() => schemaForm)],
    [2, "example", "any"],
  ],
  extensions: 5,
};

const parameterForm: MessageForm = {
  fields: [
    [1, "name", "string"],
    [2, "in", "string"],
    [3, "description", "string"],
    [4, "required", "bool"],
    [5, "deprecated", "bool"],
    [6, "allowEmptyValue", "bool"],
    [7, "style", "string"],
    [8, "explode", "bool"],
    [9, "allowReserved", "bool"],
    [10, "schema", orReference(() => schemaForm)],
    [11, "example", "any"],
    [13, "content", { map: () => mediaTypeForm }],
  ],
  extensions: 14,
};

const requestBodyForm: MessageForm = {
  fields: [
    [1, "description", "string"],
    [2, "content", { map: () => mediaTypeForm }],
    [3, "required", "bool"],
  ],
  extensions: 4,
};

const responseForm: MessageForm = {
  fields: [
    [1, "description", "string"],
    [3, "content", { map: () => mediaTypeForm }],
  ],
  extensions: 5,
};

const responsesKind: FieldKind = {
  write: (writer, field, value) =>
    writer.message(field, (responses) => {
      const { default: usual, ...byCode } = objectOf(value);
      if (usual !== undefined) writeOrReference(responses, 1, usual, responseForm);
      for (const [code, response] of Object.entries(byCode))
        responses.message(2, (named) => writeNamed(named, code, (at) => writeOrReference(named, at, response, responseForm)));
    }),
};

const operationForm: MessageForm = {
  fields: [
    [1, "tags", "strings"],
    [2, "summary", "string"],
    [3, "description", "string"],
    [4, "externalDocs", { message: () => externalDocsForm }],
    [5, "operationId", "string"],
    [6, "parameters", listOrReferences(() => parameterForm)],
    [7, "requestBody", orReference(() => requestBodyForm)],
    [8, "responses", responsesKind],
    [10, "deprecated", "bool"],
    [11, "security", securityKind],
  ],
  extensions: 13,
};

const operationKind: FieldKind = { message: () => operationForm };
const pathItemForm: MessageForm = {
  fields: [
    [1, "$ref", "string"],
    [2, "summary", "string"],
    [3, "description", "string"],
    [4, "get", operationKind],
    [5, "put", operationKind],
    [6, "post", operationKind],
    [7, "delete", operationKind],
    [8, "options", operationKind],
    [9, "head", operationKind],
    [10, "patch", operationKind],
    [11, "trace", operationKind],
    [13, "parameters", listOrReferences(() => parameterForm)],
  ],
  extensions: 14,
};

const securitySchemeForm: MessageForm = {
  fields: [
    [1, "type", "string"],
    [2, "description", "string"],
    [3, "name", "string"],
    [4, "in", "string"],
    [5, "scheme", "string"],
    [6, "bearerFormat", "string"],
    [8, "openIdConnectUrl", "string"],
  ],
  extensions: 9,
};

const componentsForm: MessageForm = {
  fields: [
    [1, "schemas", mapOrReferences(() => schemaForm)],
    [2, "responses", mapOrReferences(() => responseForm)],
    [3, "parameters", mapOrReferences(() => parameterForm)],
    [5, "requestBodies", mapOrReferences(() => requestBodyForm)],
    [7, "securitySchemes", mapOrReferences(() => securitySchemeForm)],
  ],
  extensions: 10,
};

/** Without the parts that documents of Kubernetes do not have: servers, tags, examples, headers, links and callbacks. */
const documentForm: MessageForm = {
  fields: [
    [1, "openapi", "string"],
    [2, "info", { message: () => infoForm }],
    [4, "paths", { map: () => pathItemForm }],
    [5, "components", { message: () => componentsForm }],
    [6, "security", securityKind],
    [8, "externalDocs", { message: () => externalDocsForm }],
  ],
  extensions: 9,
};
