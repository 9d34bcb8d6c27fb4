/** Asks until a change is shown, which usually takes less than a second, but no longer than ten seconds. */
export async function waitUntil(isShown) {
  for (let asked = 0; asked < 50 && !(await isShown()); asked += 1)
    await new Promise(resolve => setTimeout(resolve, 200))
}
