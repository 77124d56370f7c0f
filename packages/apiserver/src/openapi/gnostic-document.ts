/**
 * The v2 document in the binary form that kubectl up to 1.26 requests: gnostic's message `openapi.v2.Document`.
 *
 *     v2 document (JSON) → gnosticDocument → bytes
 */
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { ProtobufWriter } from "@drover/machinery/protobuf";
import {
  encodeMessage,
  externalDocsForm,
  listOf,
  objectOf,
  securityKind,
  writeMessage,
  writeNamed,
  writeNamedMessages,
  writeTexts,
} from "./gnostic-message.ts";
import type { FieldKind, MessageForm } from "./gnostic-message.ts";
import { textOf } from "./json-order.ts";

/** Encodes the whole document. */
export function gnosticDocument(document: JsonObject): Uint8Array {
  return encodeMessage(document, documentForm);
}

const infoForm: MessageForm = {
  fields: [
    [1, "title", "string"],
    [2, "version", "string"],
    [3, "description", "string"],
    [4, "termsOfService", "string"],
  ],
  extensions: 7,
};
const referenceForm: MessageForm = {
  fields: [
    [1, "$ref", "string"],
    [2, "description", "string"],
  ],
};

const schemaForm: MessageForm = {
  fields: [
    [1, "$ref", "string"],
    [2, "format", "string"],
    [3, "title", "string"],
    [4, "description", "string"],
    [5, "default", "any"],
    [6, "multipleOf", "double"],
    [7, "maximum", "double"],
    [8, "exclusiveMaximum", "bool"],
    [9, "minimum", "double"],
    [10, "exclusiveMinimum", "bool"],
    [11, "maxLength", "int64"],
    [12, "minLength", "int64"],
    [13, "pattern", "string"],
    [14, "maxItems", "int64"],
    [15, "minItems", "int64"],
    [16, "uniqueItems", "bool"],
    [17, "maxProperties", "int64"],
    [18, "minProperties", "int64"],
    [19, "required", "strings"],
    [20, "enum", "anys"],
    [21, "additionalProperties", { write: writeAdditionalProperties }],
    [22, "type", { write: (writer, field, value) => writer.message(field, (type) => writeTexts(type, 1, value)) }],
    [
      23,
      "items",
      {
        write: (writer, field, value) =>
          writer.message(field, (items) =>
            listOf(value).forEach((item) => items.message(1, (inner) => writeMessage(inner, objectOf(item), schemaForm))),
          ),
      },
    ],
    [24, "allOf", { messages: () => schemaForm }],
    [25, "properties", { map: () => schemaForm }],
    [26, "discriminator", "string"],
    [27, "readOnly", "bool"],
    [29, "externalDocs", { message: () => externalDocsForm }],
    [30, "example", "any"],
  ],
  extensions: 31,
};

function writeAdditionalProperties(writer: ProtobufWriter, field: number, value: JsonValue): void {
  writer.message(field, (choice) => {
    if (typeof value === "boolean") choice.bool(2, value);
    else choice.message(1, (inner) => writeMessage(inner, objectOf(value), schemaForm));
  });
}

/** The fields at the end of every non-body parameter, numbered from that of its type. */
const valueFields = (first: number): MessageForm["fields"] =>
  (
    [
      ["type", "string"],
      ["format", "string"],
      ["items", { message: () => primitiveForm }],
      ["collectionFormat", "string"],
      ["default", "any"],
      ["maximum", "double"],
      ["exclusiveMaximum", "bool"],
      ["minimum", "double"],
      ["exclusiveMinimum", "bool"],
      ["maxLength", "int64"],
      ["minLength", "int64"],
      ["pattern", "string"],
      ["maxItems", "int64"],
      ["minItems", "int64"],
      ["uniqueItems", "bool"],
      ["enum", "anys"],
      ["multipleOf", "double"],
    ] as const
  ).map(([key, kind], at) => [first + at, key, kind] as const);

const primitiveForm: MessageForm = { fields: valueFields(1), extensions: 18 };
const parameterHead: MessageForm["fields"] = [
  [1, "required", "bool"],
  [2, "in", "string"],
  [3, "description", "string"],
  [4, "name", "string"],
];
const plainParameterForm: MessageForm = { fields: [...parameterHead, ...valueFields(5)], extensions: 22 };
const emptyableParameterForm: MessageForm = {
  fields: [...parameterHead, [5, "allowEmptyValue", "bool"], ...valueFields(6)],
  extensions: 23,
};
const bodyParameterForm: MessageForm = {
  fields: [
    [1, "description", "string"],
    [2, "name", "string"],
    [3, "in", "string"],
    [4, "required", "bool"],
    [5, "schema", { message: () => schemaForm }],
  ],
  extensions: 6,
};

/** Location of a parameter → its field among the non-body parameters. */
const placedForms: ReadonlyMap<string, readonly [field: number, form: MessageForm]> = new Map([
  ["header", [1, plainParameterForm]],
  ["formData", [2, emptyableParameterForm]],
  ["query", [3, emptyableParameterForm]],
  ["path", [4, plainParameterForm]],
]);

function writeParameter(writer: ProtobufWriter, parameter: JsonObject): void {
  const placed = placedForms.get(textOf(parameter["in"]));
  if (placed === undefined) return writer.message(1, (body) => writeMessage(body, parameter, bodyParameterForm));
  const [field, form] = placed;
  writer.message(2, (choice) => choice.message(field, (inner) => writeMessage(inner, parameter, form)));
}

const parametersKind: FieldKind = {
  write: (writer, field, value) =>
    listOf(value)
      .map(objectOf)
      .forEach((parameter) =>
        writer.message(field, (item) => {
          if (Object.hasOwn(parameter, "$ref")) item.message(2, (reference) => writeMessage(reference, parameter, referenceForm));
          else item.message(1, (inner) => writeParameter(inner, parameter));
        }),
      ),
};

const responseForm: MessageForm = {
  fields: [
    [1, "description", "string"],
    [
      2,
      "schema",
      {
        write: (writer, field, value) =>
          writer.message(field, (item) => item.message(1, (schema) => writeMessage(schema, objectOf(value), schemaForm))),
      },
    ],
  ],
  extensions: 5,
};

const responsesKind: FieldKind = {
  write: (writer, field, value) =>
    writer.message(field, (responses) => {
      for (const [code, response] of Object.entries(objectOf(value))) {
        responses.message(1, (named) =>
          writeNamed(named, code, (at) =>
            named.message(at, (choice) => choice.message(1, (inner) => writeMessage(inner, objectOf(response), responseForm))),
          ),
        );
      }
    }),
};

const operationForm: MessageForm = {
  fields: [
    [1, "tags", "strings"],
    [2, "summary", "string"],
    [3, "description", "string"],
    [4, "externalDocs", { message: () => externalDocsForm }],
    [5, "operationId", "string"],
    [6, "produces", "strings"],
    [7, "consumes", "strings"],
    [8, "parameters", parametersKind],
    [9, "responses", responsesKind],
    [10, "schemes", "strings"],
    [11, "deprecated", "bool"],
    [12, "security", securityKind],
  ],
  extensions: 13,
};

const operationKind: FieldKind = { message: () => operationForm };
const pathItemForm: MessageForm = {
  fields: [
    [2, "get", operationKind],
    [3, "put", operationKind],
    [4, "post", operationKind],
    [5, "delete", operationKind],
    [6, "options", operationKind],
    [7, "head", operationKind],
    [8, "patch", operationKind],
    [9, "parameters", parametersKind],
  ],
  extensions: 10,
};

const apiKeyForm: MessageForm = {
  fields: [
    [1, "type", "string"],
    [2, "name", "string"],
    [3, "in", "string"],
    [4, "description", "string"],
  ],
  extensions: 5,
};

/** Only the API key in a header, the one security definition that Kubernetes has. */
const securityDefinitionsKind: FieldKind = {
  write: (writer, field, value) =>
    writer.message(field, (definitions) => {
      for (const [name, definition] of Object.entries(objectOf(value))) {
        definitions.message(1, (named) =>
          writeNamed(named, name, (at) =>
            named.message(at, (choice) => choice.message(2, (key) => writeMessage(key, objectOf(definition), apiKeyForm))),
          ),
        );
      }
    }),
};

const sharedParametersKind: FieldKind = {
  write: (writer, field, value) =>
    writer.message(field, (definitions) => {
      for (const [name, parameter] of Object.entries(objectOf(value)))
        definitions.message(1, (named) =>
          writeNamed(named, name, (at) => named.message(at, (inner) => writeParameter(inner, objectOf(parameter)))),
        );
    }),
};

const documentForm: MessageForm = {
  fields: [
    [1, "swagger", "string"],
    [2, "info", { message: () => infoForm }],
    [3, "host", "string"],
    [4, "basePath", "string"],
    [5, "schemes", "strings"],
    [6, "consumes", "strings"],
    [7, "produces", "strings"],
    [
      8,
      "paths",
      { write: (writer, field, value) => writer.message(field, (paths) => writeNamedMessages(paths, 2, objectOf(value), pathItemForm)) },
    ],
    [9, "definitions", { map: () => schemaForm }],
    [10, "parameters", sharedParametersKind],
    [12, "security", securityKind],
    [13, "securityDefinitions", securityDefinitionsKind],
  ],
  extensions: 16,
};
