/**
 * A plugin for the bundlers that writes the schema tables as JSON in a string, which is parsed when a field of the table is
 * first read. They are a seventh of the code of the server and of `drover`, and many programs never read them. Node parses
 * JSON more than twice as fast as JavaScript, and JSON is shorter.
 */
import { isDeepStrictEqual } from "node:util";
import { runInThisContext } from "node:vm";

export function jsonTables() {
  return {
    name: "json-tables",
    transform: {
      filter: { id: /[\\/]packages[\\/]api[\\/](?:src|dist)[\\/]schemas[\\/][a-z]+[\\/]v[^\\/]*\.[jt]s$/ },
      handler: (code, id) => {
        const [, head, literal] =
          /^([^]*^export const \w+(?:: SchemaTable)? = )(\{[^]*^\});\n(?:\/\/# sourceMappingURL=.*)?$/m.exec(code) ?? [];
        if (literal === undefined)
          throw new Error(`${id} is not one table of schemas and nothing else; look at what generates it, and at scripts/json-tables.mjs`);
        const table = runInThisContext(`(${literal})`);
        const text = JSON.stringify(table);
        if (!isDeepStrictEqual(JSON.parse(text), table)) throw new Error(`the table in ${id} would be another one as JSON`);
        const fields = Object.keys(table).map((name) => `get ${name}() { return (parsed ??= parse()).${name}; },\n`);
        return `let parsed;\nconst parse = () => JSON.parse(${JSON.stringify(text)});\n${head}{\n${fields.join("")}};\n`;
      },
    },
  };
}
