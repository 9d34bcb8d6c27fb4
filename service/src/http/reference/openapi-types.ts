import type { Tag } from '../../endpoint/endpoint.ts'
import type { Json } from './json-schemas.ts'

/** The parts of OpenAPI that this service uses. */
export interface OpenApi {
  openapi: string
  info: {
    title: string
    version: string
    summary: string
    description: string
    contact: { name: string; url: string }
    license: { name: string; identifier: string }
  }
  servers: { url: string; description?: string }[]
  security: []
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; headers: Record<string, Json> }
  externalDocs: { url: string; description: string }
}

export interface Operation {
  operationId: string
  tags: Tag[]
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, ResponseObject>
  'x-codeSamples'?: { lang: string; label: string; source: string }[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  example?: unknown
  schema: Json
}

export interface ResponseObject {
  description: string
  headers?: Record<string, Json>
  content?: Content
}

type Content = Record<
  string,
  { schema: Json; examples?: Record<string, { summary: string; value: unknown }> }
>
