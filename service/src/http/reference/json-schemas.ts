import { z } from 'zod'

export type Json = Record<string, unknown>

export type ToSchema = (schema: z.ZodType, io?: 'input' | 'output') => Json

/** Converts Zod schemas to JSON schemas. Those with an id become components, which all others refer to. */
export function createSchemaCollector(): { schemas: Record<string, Json>; toSchema: ToSchema } {
  const schemas: Record<string, Json> = {}

  function toSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): Json {
    const generated = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      // Answers may gain fields; clients must ignore those they do not know. What a loose object passes through stays.
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      },
    }) as Json
    const text = JSON.stringify(generated).replaceAll('"#/$defs/', '"#/components/schemas/')
    const { $schema: _, $defs, id, ...rest } = JSON.parse(text) as Json & { $defs?: Record<string, Json> }
    for (const [name, { id: _id, ...definition }] of Object.entries($defs ?? {})) schemas[name] = definition
    if (typeof id !== 'string') return rest
    // The operation has the example.
    const { examples: _examples, ...component } = rest
    schemas[id] = component
    return { $ref: `#/components/schemas/${id}` }
  }

  return { schemas, toSchema }
}
