package tool

// The names of the tools.
const (
	NameSandboxCreate       = "sandbox_create"
	NameSandboxDestroy      = "sandbox_destroy"
	NameSandboxWriteFile    = "sandbox_write_file"
	NameSandboxReadFile     = "sandbox_read_file"
	NameSandboxListFiles    = "sandbox_list_files"
	NameSandboxDeleteFile   = "sandbox_delete_file"
	NameEditFile            = "edit_file"
	NameSandboxRunCommand   = "sandbox_run_command"
	NameListProcesses       = "sandbox_list_processes"
	NameStopProcess         = "sandbox_stop_process"
	NameCreateNewShell      = "create_new_shell"
	NameFeedChars           = "feed_chars"
	NameSandboxStartPreview = "sandbox_start_preview"
	NameSandboxScreenshot   = "sandbox_screenshot"
	NameSandboxLook         = "sandbox_look"
	NameRenderPreview       = "render_preview"
	NameRenderFinal         = "render_final"
	NameUpdateTodo          = "update_todo"
	NameSetThinking         = "set_thinking"
	NameAddMessage          = "add_message"
)
