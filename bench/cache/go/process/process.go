// Package process tells what this process has used so far.
package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// CPUSeconds is the time all its threads have spent, in the program and in the kernel.
func CPUSeconds() (float64, error) {
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	seconds := func(time syscall.Timeval) float64 { return float64(time.Sec) + float64(time.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime), err
}

// MemoryBytes is a line of /proc/self/status: "VmRSS" is resident now, "VmHWM" at most so far.
func MemoryBytes(name string) (int, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, name+":"); found {
			kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
			return kilobytes * 1024, err
		}
	}
	return 0, fmt.Errorf("/proc/self/status has no %s", name)
}
