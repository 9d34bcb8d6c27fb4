/** The examples, which are plain JavaScript, use the client as it is built. */
export async function setup() {
  const { buildClient } = await import(`${new URL('../../../scripts/build-client.js', import.meta.url)}`)
  await buildClient()
}
