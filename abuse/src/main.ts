// Each process loads only what it needs: the programs of the chain alone take seconds.
const [command, dataDir] = process.argv.slice(2)
if (command === 'chain' && dataDir) {
  const { runChainProcess } = await import('./chain-process.ts')
  await runChainProcess(dataDir)
} else {
  const { attackService } = await import('./attack-service.ts')
  await attackService()
}
