// The extension starts `kasc lsp` and leaves the rest to it.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function settings() {
    const all = vscode.workspace.getConfiguration('kasc');
    return { libraries: all.get('libraries'), device: all.get('device'), settings: all.get('settings') };
}

async function start() {
    const command = vscode.workspace.getConfiguration('kasc').get('path') || 'kasc';
    const server = { command, args: ['lsp'] };
    client = new LanguageClient('kasc', 'kasc', server, {
        documentSelector: [{ language: 'kasc' }],
        initializationOptions: settings(),
    });
    try {
        await client.start();
    } catch (error) {
        vscode.window.showErrorMessage(`'${command} lsp' cannot be started: set kasc.path (${error.message})`);
    }
}

async function stop() {
    if (client && client.isRunning()) await client.stop();
    client = undefined;
}

async function restart() {
    await stop();
    await start();
}

async function activate(context) {
    context.subscriptions.push(vscode.commands.registerCommand('kasc.restart', restart));
    context.subscriptions.push(vscode.workspace.onDidChangeConfiguration(async (change) => {
        if (change.affectsConfiguration('kasc.path')) return restart();
        if (change.affectsConfiguration('kasc') && client)
            await client.sendNotification('workspace/didChangeConfiguration', { settings: { kasc: settings() } });
    }));
    await start();
}

module.exports = { activate, deactivate: stop };
