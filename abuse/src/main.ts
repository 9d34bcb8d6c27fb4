// Each process loads only what it needs: the programs of the chain alone take seconds.
const [command, dataDir, activity] = process.argv.slice(2)
if (command === 'chain' && dataDir) {
  const { runChainProcess } = await import('./chain-process.ts')
  await runChainProcess(dataDir, activity === 'true')
} else if (command === 'load') {
  const { runLoadProcess } = await import('./load-process.ts')
  runLoadProcess()
} else {
  const { attackService } = await import('./attack-service.ts')
  await attackService()
}
