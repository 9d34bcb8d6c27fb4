import { expect, test } from 'vitest'
import { parseSteps } from './read-migrations.ts'

const parse = (...statements: string[]) => parseSteps(statements.join('--> statement-breakpoint\n'))

test('a migration is one transaction, with the indexes of the tables that it creates', () => {
  const statements = [
    'CREATE TABLE "a" (id int);\n',
    'CREATE INDEX "a_id" ON "a" USING btree ("id");\n',
    '-- A comment.\nALTER TABLE "b" ADD COLUMN "c" text;',
  ]
  expect(parse(...statements)).toMatchObject([{ kind: 'transaction', statements: { length: 3 } }])
})

test('an index on a table that is in use is a step of its own', () => {
  const index = 'CREATE UNIQUE INDEX "b_c" ON "b" USING btree ("c");'
  expect(
    parse('ALTER TABLE "b" ADD COLUMN "c" text;\n', `-- Why.\n${index}\n`, 'DROP INDEX "b_old";'),
  ).toMatchObject([
    { kind: 'transaction', statements: { length: 1 } },
    { kind: 'index', table: 'b', index: 'b_c', statement: index },
    { kind: 'transaction', statements: ['\nDROP INDEX "b_old";'] },
  ])
})

test('a marker starts another transaction, or marks a statement that runs in batches', () => {
  const statement = 'INSERT INTO b SELECT id FROM batch'
  expect(
    parse(
      'SELECT 1;\n',
      '--> new-transaction\nSELECT 2;\n',
      `--> batches of a by network, id\n-- Why.\n${statement};\n`,
      'SELECT 3;',
    ),
  ).toMatchObject([
    { kind: 'transaction', statements: { length: 1 } },
    { kind: 'transaction', statements: { length: 1 } },
    { kind: 'batches', table: 'a', key: ['network', 'id'], statement },
    { kind: 'transaction', statements: { length: 1 } },
  ])
})

test('a misspelt marker is refused', () => {
  expect(() => parse('--> new transaction\nSELECT 1;')).toThrow(/^Unknown marker: --> new transaction$/)
  expect(() => parse('--> batches of a\nSELECT 1;')).toThrow(/^Unknown marker: --> batches of a$/)
})
