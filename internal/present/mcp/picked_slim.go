//go:build slim

package mcp

import "github.com/modelcontextprotocol/go-sdk/mcp"

func (r *runner) abilities() *mcp.ServerOptions {
	return &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}}
}

func (r *runner) addPicked(*mcp.Server) {}
