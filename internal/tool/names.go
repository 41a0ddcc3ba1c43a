package tool

// The names of the tools.
const (
	SandboxCreate       = "sandbox_create"
	SandboxDestroy      = "sandbox_destroy"
	SandboxWriteFile    = "sandbox_write_file"
	SandboxReadFile     = "sandbox_read_file"
	SandboxListFiles    = "sandbox_list_files"
	SandboxDeleteFile   = "sandbox_delete_file"
	EditFileTool        = "edit_file"
	SandboxRunCommand   = "sandbox_run_command"
	SandboxStartPreview = "sandbox_start_preview"
	SandboxScreenshot   = "sandbox_screenshot"
	RenderPreviewTool   = "render_preview"
	RenderFinalTool     = "render_final"
	UpdateTodo          = "update_todo"
	SetThinking         = "set_thinking"
	AddMessage          = "add_message"
)
